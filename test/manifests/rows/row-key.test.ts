import { describe, expect, test } from 'vitest';
import { rowKeyTroubles } from '../../../manifests/rows/row-key.js';
import { galleryFileName } from '../../../reports/gallery/gallery-page.js';
import { check, checkText, lines } from '../manifest-files.js';

const reports = new URL('../../fixtures/reports/52-ids-as-report-names/', import.meta.url).pathname;
const codes = (id: string) => rowKeyTroubles(id).map(({ severity, code }) => `${severity} ${code}`);

describe('an id', () => {
  test('is never the name of a file that lies beside the movies', async () => {
    const found = await check(`${reports}in.csv`);
    expect(lines(found)).toEqual([
      ...[2, 3, 4, 5, 6].map((row) => `error id_reserved ${row} ${row} A id`),
      'warning id_windows 7 7 A id',
      'warning id_windows 8 8 A id',
    ]);
  });

  test.each([
    'results.csv',
    'RESULTS.CSV',
    'results.jsonl',
    'certificate.json',
    galleryFileName(1),
    galleryFileName(12),
  ])('%s is a report', (id) => expect(codes(id)).toEqual(['error id_reserved']));

  test('nor one that a row is multiplied to', async () => {
    const text = `matrix: { market: ["a.html", "b.html"] }\nmovies:\n  - { id: gallery, prompt: "A red shoe turns slowly" }`;
    expect(lines(await checkText('x.yaml', text))[0]).toMatch(/^error id_expanded 1 /);
  });

  test.each([
    'plain',
    'movie.json',
    'final.mp4',
    'results',
    'certificate',
    'my-results.csv',
    'console',
    'com10',
    '007',
  ])('%s is fine', (id) => expect(codes(id)).toEqual([]));

  test.each(['CON', 'nul.txt', 'Lpt1', 'a.'])('%s is warned of', (id) =>
    expect(codes(id)).toEqual(['warning id_windows']),
  );

  test('of 65 characters is said to have 65', () => {
    expect(rowKeyTroubles('a'.repeat(65))[0]?.message).toContain('has 65 characters, and an id has at most 64');
    expect(rowKeyTroubles('a b')[0]?.message).toContain('is not a valid id');
  });
});
