import { describe, expect, test } from 'vitest';
import { briefsOf, checkText } from './manifest-files.js';

const rows = 'a,A runner at dawn on the bridge\nb,A runner at dusk on the bridge\n';

describe('reports of other systems', () => {
  test('sgl-project/sglang#1415: an id that is there twice is refused, and both places are named', async () => {
    const { findings, errors } = await checkText('x.csv', `id,prompt\n${rows}A,A runner at noon on the bridge\n`);
    expect(errors).toBe(1);
    expect(findings).toMatchObject([{ severity: 'error', row: 4, line: 4, column: 'A', field: 'id' }]);
    expect(findings[0]?.message).toMatch(/row 2\b/);
  });

  test('nf-core/rnaseq#705: a byte order mark is no part of the first header', async () => {
    const marked = await briefsOf('x.csv', `\ufeffid,prompt\n${rows}`);
    const plain = await briefsOf('x.csv', `id,prompt\n${rows}`);
    expect(marked.map(({ brief }) => brief.rowKey)).toEqual(['a', 'b']);
    expect(marked.map(({ digest }) => digest)).toEqual(plain.map(({ digest }) => digest));
  });
});
