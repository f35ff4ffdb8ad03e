import { describe, expect, test } from 'vitest';
import { briefs, briefsOf, check, checkText, lines } from './manifest-files.js';
import { rowXml, workbookParts, zipOf } from './workbook.js';

const reports = new URL('../fixtures/reports/42-own-columns-named-like-results/', import.meta.url).pathname;
const text = 'A runner crosses the bridge at dawn';
const many = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join('\n');

describe('headers as teams write them', () => {
  test.each(['Video Prompt', 'video_prompt', 'VideoPrompt', 'Prompt (EN)', 'Final prompt', 'AI Video Prompt'])(
    '%s is the prompt, and that is said',
    async (header) => {
      const found = await checkText('x.csv', `id,${header}\na,${text}`);
      expect(lines(found)).toEqual(['warning header_understood 1 1 B prompt']);
      expect(found).toMatchObject({ errors: 0, briefs: 1 });
      expect(found.findings[0]?.message).toContain(`--map prompt="${header}"`);
    },
  );

  test.each([
    ['Shot Description', 'Shot Description'],
    ['Negative Prompt,Scene brief', 'Scene brief'],
    ['notes,Concept', 'Concept'],
  ])(
    'a sheet with %s and no prompt gets one finding, with what was seen and what would settle it',
    async (own, likely) => {
      const cells = own.split(',').map(() => text);
      const found = await checkText('x.csv', `id,${own}\n${many(570, (i) => [`a${i}`, ...cells].join(','))}`);
      expect(lines(found)).toEqual(['error missing_column 1 1 - prompt']);
      const message = found.findings[0]?.message;
      expect(message).toContain(`did you mean "${likely}"? --map prompt="${likely}" says so`);
      for (const header of ['id', ...own.split(',')]) expect(message).toContain(`"${header}"`);
    },
  );

  test('--map settles it, in every form', async () => {
    const map = { prompt: 'Shot Description', duration: 'Runtime' };
    const rows = rowXml(1, ['Shot Description', 'id', 'Runtime']) + rowXml(2, [text, 'a', '8']);
    const sheets: readonly (readonly [string, string | Buffer])[] = [
      ['x.csv', `Shot Description;id;Runtime\n${text};a;8`],
      ['x.yaml', `movies:\n  - id: a\n    shot_description: ${text}\n    runtime: 8`],
      ['x.xlsx', zipOf(workbookParts([{ name: 'M', rows }]))],
    ];
    for (const [name, content] of sheets) {
      const [row] = await briefsOf(name, content, { map });
      expect(row?.brief, name).toMatchObject({ rowKey: 'a', prompt: text, durationSeconds: 8 });
      expect(lines(await checkText(name, content, { map })), name).toEqual([]);
    }
  });

  test('a mapped field leaves its usual name to the team', async () => {
    const [row] = await briefsOf('x.csv', `id,prompt,Shot Description\na,old words,${text} in {{prompt}}`, {
      map: { prompt: 'shot description' },
    });
    expect(row?.brief.prompt).toBe(`${text} in old words`);
  });

  test('no known name at all: --map is offered, and finds the header', async () => {
    const content = `Number;Shot Description\n7;${text}`;
    const found = await checkText('x.csv', content);
    expect(lines(found)).toEqual(['error no_header 1 1 - -']);
    const [row] = await briefsOf('x.csv', content, { map: { id: 'Number', prompt: 'Shot Description' } });
    expect(row?.brief).toMatchObject({ rowKey: '7', prompt: text });
  });

  test('a header that --map names and nobody has', async () => {
    const found = await checkText('x.csv', `id,Description\na,${text}`, { map: { prompt: 'Descr' } });
    expect(lines(found)).toEqual(['error map_missing 1 1 - prompt']);
    expect(found.findings[0]?.message).toContain('"id", "Description"');
  });

  test('a word of many meanings beside a longer name of the field is never guessed', async () => {
    const content = `id,Text,Video Prompt\n${many(20, (i) => `a${i},Buy!,${text} ${i}`)}`;
    const found = await checkText('x.csv', content);
    expect(lines(found)).toEqual(['error unclear_field 1 1 - prompt']);
    const [row] = await briefsOf('x.csv', content, { map: { prompt: 'Video Prompt' } });
    expect(row?.brief.prompt).toBe(`${text} 0`);
  });

  test('an exact name wins over longer ones, which stay the team’s', async () => {
    const found = await checkText('x.csv', `id,prompt,Video Prompt,Shot length,duration\na,${text},x,1,8`);
    expect(found).toMatchObject({ errors: 0, warnings: 0 });
  });

  test('a YAML file without the prompt under its name gets one finding', async () => {
    const content = `movies:\n${many(570, (i) => `  - { id: a${i}, shot_description: "${text} ${i}" }`)}`;
    const found = await checkText('x.yaml', content);
    expect(lines(found)).toEqual(['error missing_column - - - prompt']);
    const video = await checkText('x.yaml', content.replaceAll('shot_description', 'video_prompt'));
    expect(lines(video)).toEqual(['warning header_understood - - - prompt']);
    expect(video.briefs).toBe(570);
  });

  test.each(['Clip Runtime', 'Film orientation used', 'Total length'])(
    '%s is kept, and asked about',
    async (header) => {
      const found = await checkText('x.csv', `id,prompt,${header}\na,${text},8`);
      expect(lines(found)).toEqual([`warning near_header 1 1 C ${header}`]);
    },
  );
});

describe('columns of the team that are named like those of a results file', () => {
  test.each(['in.csv', 'movie_id_last.csv', 'movie_id_template.csv', 'template.csv'])('%s keeps them', async (name) => {
    const found = await check(`${reports}${name}`);
    expect(found).toMatchObject({ errors: 0, briefs: 1 });
    const [row] = await briefs(`${reports}${name}`);
    expect(row?.cells.length).toBe(found.head.columns.length);
    if (name === 'movie_id_last.csv') expect(row?.cells[2]).toBe('MV-1');
    if (name === 'movie_id_template.csv') expect(row?.brief.prompt).toContain('A clip MV-1 crosses');
  });

  test.each([
    'state,movie_id,final_video,poster,captions,storyboard,other_files,sha256,estimated,posted,currency,verdict,reason',
    'state,movie_id,asset_files,sha256,estimated,posted,verdict,reason',
  ])('those that a results file has added are skipped: %s', async (added) => {
    const found = await checkText('x.csv', `id,prompt,movie_id,${added}\na,${text},MV-1,delivered,m,,,,,,`);
    expect(found.head.columns).toEqual(['id', 'prompt', 'movie_id']);
  });
});
