import { describe, expect, test } from 'vitest';
import { fileSource } from '../../manifests/read-manifest.js';
import { repairedBytes } from '../../manifests/repair-manifest.js';
import { briefs, briefsOf, checkText, lines, writeManifest } from './manifest-files.js';

const prompt = 'A runner crosses the bridge “at dawn” 🎬';
const movie = (id: string, more = {}) => JSON.stringify({ id, prompt: `${prompt} ${id}`, ...more });

describe('JSON Lines', () => {
  test('an object a line is a movie, with lists, references and numbers as they are written', async () => {
    const text = [
      movie('007', { duration_seconds: 8, aspect_ratio: ['16:9', '1:1'], market: 'de' }),
      '',
      `{"id": 12, "prompt": ${JSON.stringify(prompt)}, "references": [{"url": "https://example.com/a.png", "role": "style"}]}\r`,
    ].join('\n');
    const path = await writeManifest('spring.jsonl', text);
    const found = await checkText('spring.jsonl', text);
    expect(found.head).toMatchObject({ format: 'jsonl', campaign: 'spring' });
    expect(found).toMatchObject({ errors: 0, rows: 2, briefs: 3 });
    const rows = await briefs(path);
    expect(rows.map(({ brief, line }) => [brief.rowKey, brief.durationSeconds, line])).toEqual([
      ['007-16x9', 8, 1],
      ['007-1x1', 8, 1],
      ['12', 30, 3],
    ]);
    expect(rows[0]?.brief.prompt).toBe(`${prompt} 007`);
    expect(rows[2]?.brief.references).toMatchObject([{ source: { url: 'https://example.com/a.png' }, role: 'style' }]);
  });

  test('is known by its content, too, and gives what YAML gives', async () => {
    const text = `${movie('a')}\n${movie('b')}\n`;
    for (const name of ['x', 'x.json', 'x.ndjson'])
      expect((await checkText(name, text)).head.format, name).toBe('jsonl');
    const yaml = await briefsOf('x.yaml', `movies:\n  - ${movie('a')}\n  - ${movie('b')}\n`);
    const digests = async (name: string, content: string) =>
      (await briefsOf(name, content)).map(({ digest }) => digest);
    expect(await digests('x.jsonl', text)).toEqual(yaml.map(({ digest }) => digest));
    expect((await checkText('x.json', `{"movies": [${movie('a')}]}`)).head.format).toBe('json');
    expect((await checkText('x.json', `[${movie('a')}]`)).briefs).toBe(1);
  });

  test('every line that is none is said, each at its place', async () => {
    const text = `${movie('a')}\n{"id": "b", "prompt": \n["c"]\n${movie('d')}\nplain\n`;
    const found = await checkText('x.jsonl', text);
    expect(lines(found)).toEqual(['error json_fault - 2 - -', 'error json_fault - 3 - -', 'error json_fault - 5 - -']);
    expect(found.findings[0]).toMatchObject({ excerpt: { line: 2, text: '{"id": "b", "prompt": ' } });
  });

  test('findings in a movie have their line, and repairs are written where the value is', async () => {
    const text = `${movie('a')}\n${movie('b', { aspect_ratio: '16:09:00' })}\n${movie('c', { duration: '7,5' })}\n`;
    const found = await checkText('x.jsonl', text);
    expect(lines(found)).toEqual(['repair ratio_repaired 2 2 - aspect_ratio', 'error duration_whole 3 3 - duration']);
    const pieces: Buffer[] = [];
    const path = await writeManifest('x.jsonl', text);
    for await (const piece of repairedBytes(await fileSource(path), {})) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(text.replace('16:09:00', '16:9'));
  });
});

describe('braces', () => {
  test.each([
    ['x.csv', `id,prompt,market\na,"A sign says \\{{market}} in {{market}}",de`],
    ['x.yaml', `movies:\n  - id: a\n    prompt: A sign says \\{{market}} in {{market}}\n    market: de`],
    ['x.jsonl', `{"id":"a","prompt":"A sign says \\\\{{market}} in {{market}}","market":"de"}`],
  ])('with a backslash stay braces: %s', async (name, text) => {
    const [row] = await briefsOf(name, text);
    expect(row?.brief.prompt).toBe('A sign says {{market}} in de');
  });

  test('that name no column are said, with the way to write them', async () => {
    const found = await checkText('x.csv', 'id,prompt\na,"A sign says {{Sale}} over the door"');
    expect(found.findings[0]?.message).toBe('{{Sale}} names no column; write \\{{Sale}} for the braces themselves');
  });
});
