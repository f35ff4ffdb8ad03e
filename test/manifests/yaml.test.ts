import { describe, expect, test } from 'vitest';
import { briefsOf, checkText, lines } from './manifest-files.js';

const prompt = 'A red shoe turns slowly';

describe('a YAML manifest', () => {
  test('gives the settings of its batch', async () => {
    const { head, errors, findings } = await checkText(
      'x.yaml',
      `campaign: spring-launch
budget: acme/emea/spring
canary: 3
tolerance: 0
max_in_flight: 40
priority: 2
deadline: 90 min
archive: s3://films/spring
movies:
  - { id: a1, prompt: ${prompt} }
`,
    );
    expect(errors).toBe(0);
    expect(head).toMatchObject({ format: 'yaml', campaign: 'spring-launch', encoding: 'UTF-8', delimiter: null });
    expect(head.settings).toEqual({
      budget: 'acme/emea/spring',
      canary: 3,
      tolerance: 0,
      maxInFlight: 40,
      priority: 2,
      deadlineSeconds: 5400,
    });
    // Where files go is the installation's own: a sheet that asks for another place is told so.
    expect(findings).toMatchObject([{ severity: 'warning', code: 'setting_not_used', line: 8, field: 'archive' }]);
  });

  test.each([
    'canary: 0',
    'tolerance: -1',
    'deadline: soon',
    'budget: /x',
    'priority: 9',
    'archive: films',
    'max_in_flight: [1]',
  ])('a setting that cannot be is an error at its line: %s', async (setting) => {
    const found = await checkText('x.yaml', `${setting}\nmovies: [{ id: a1, prompt: ${prompt} }]\n`);
    expect(lines(found)).toEqual([`error setting - 1 - ${setting.split(':')[0]}`]);
  });

  test.each(['movies', 'briefs', 'rows'])('may call its list %s', async (name) => {
    expect(await briefsOf('x.yaml', `${name}:\n  - id: a1\n    prompt: ${prompt}\n`)).toHaveLength(1);
  });

  test('may be the list alone', async () => {
    const found = await checkText('x.yaml', `- id: a1\n  prompt: ${prompt}\n- id: a2\n  prompt: short\n`);
    expect(lines(found)).toEqual(['error prompt_short 2 4 - prompt']);
    expect(found.briefs).toBe(1);
  });

  test('ids and own values keep their spelling, whatever they look like', async () => {
    const rows = await briefsOf(
      'x.yaml',
      `- { id: 007, prompt: ${prompt}, sku: 0x1F, on: yes, launch: 2026-03-04, big: 12345678901234567890, off: ~ }\n- { id: 1e3, prompt: ${prompt} too }\n`,
    );
    expect(rows.map(({ brief }) => brief.rowKey)).toEqual(['007', '1e3']);
    expect(rows[0]?.cells).toEqual(['007', prompt, '0x1F', 'yes', '2026-03-04', '12345678901234567890', '']);
  });

  test('1.1 changes nothing: a ratio is a ratio, and no is a word', async () => {
    const [row] = await briefsOf('x.yaml', `%YAML 1.1\n---\n- { id: no, prompt: ${prompt}, ratio: 16:9 }\n`);
    expect(row?.brief).toMatchObject({ rowKey: 'no', aspectRatio: '16:9' });
  });

  test('defaults fill what a movie leaves out or leaves empty', async () => {
    const rows = await briefsOf(
      'x.yaml',
      `defaults: { duration: 20, style: warm, references: [{ id: ref_a1, role: product }, { id: ref_a2, role: style }] }
movies:
  - { id: a1, prompt: ${prompt} }
  - { id: a2, prompt: ${prompt}, seconds: 9, style: "" }
  - { id: a3, prompt: ${prompt}, references: [{ id: ref_b1, role: other }] }
  - { id: a4, prompt: ${prompt}, references: [] }
`,
    );
    expect(rows.map(({ brief }) => [brief.durationSeconds, brief.style, brief.references.length])).toEqual([
      [20, 'warm', 2],
      [9, 'warm', 2],
      [20, 'warm', 1],
      [20, 'warm', 0],
    ]);
  });

  test('a matrix multiplies every movie, ratio first, then by name', async () => {
    const rows = await briefsOf(
      'x.yaml',
      `matrix: { place: [Old Town], market: [de, fr], aspect_ratio: ["16:9", "9:16"] }
movies:
  - { id: hero, prompt: "A runner in {{market}}, {{place}}" }
`,
    );
    expect(rows.map(({ brief }) => [brief.rowKey, brief.aspectRatio, brief.prompt])).toEqual([
      ['hero-16x9-de', '16:9', 'A runner in de, Old Town'],
      ['hero-16x9-fr', '16:9', 'A runner in fr, Old Town'],
      ['hero-9x16-de', '9:16', 'A runner in de, Old Town'],
      ['hero-9x16-fr', '9:16', 'A runner in fr, Old Town'],
    ]);
    expect(rows[1]?.cells).toEqual(['hero-16x9-fr', 'A runner in {{market}}, {{place}}', '16:9', 'fr', 'Old Town']);
  });

  test.each([
    [`matrix: { market: [de, DE] }\nmovies: [{ id: a, prompt: ${prompt} }]`, 'error matrix - 1 - matrix.market'],
    [`matrix: { market: [日本, 韓国] }\nmovies: [{ id: a, prompt: ${prompt} }]`, 'error matrix - 1 - matrix.market'],
    [`matrix: { market: [de, fr] }\nmovies: [{ id: a, prompt: ${prompt}, market: it }]`, 'error matrix 1 2 - market'],
    [
      `matrix: { ratio: ["16:9", "1:1"] }\ndefaults: { ratio: "1:1" }\nmovies: [{ id: a, prompt: ${prompt} }]`,
      'error matrix - 2 - defaults.ratio',
    ],
    [`matrix: { id: [a, b] }\nmovies: [{ id: a, prompt: ${prompt} }]`, 'error matrix - 1 - matrix.id'],
    [`matrix: { market: [] }\nmovies: [{ id: a, prompt: ${prompt} }]`, 'error matrix - 1 - matrix.market'],
    [`matrix: [de]\nmovies: [{ id: a, prompt: ${prompt} }]`, 'error value_kind - 1 - matrix'],
  ])('a matrix that cannot be is an error: %s', async (text, line) => {
    expect(lines(await checkText('x.yaml', text))).toContain(line);
  });

  test('a product that no batch takes is an error before it is made', async () => {
    const axes = ['a', 'b', 'c', 'd'].map(
      (name) => `${name}: [${Array.from({ length: 60 }, (_, i) => `${name}${i}`).join(', ')}]`,
    );
    const found = await checkText('x.yaml', `matrix: { ${axes.join(', ')} }\nmovies: [{ id: a, prompt: ${prompt} }]`);
    expect(lines(found)).toEqual(['error too_many_movies 1 2 - -']);
    expect(found.findings[0]?.message).toContain('12960000');
  });

  test('values may be shared by anchors, more than ten thousand times over', async () => {
    const movies = Array.from({ length: 10_500 }, (_, i) => `- { <<: *base, id: a${i}, prompt: ${prompt} ${i} }`);
    const text = `x-base: &base { duration: 9, style: &warm "warm, slow" }\nmovies:\n${movies.join('\n')}\n`;
    const found = await checkText('x.yaml', text);
    expect(found).toMatchObject({ briefs: 10_500, errors: 0, warnings: 0 });
  }, 60_000);

  test('merged maps give way to a movie, and may be several', async () => {
    const [row] = await briefsOf(
      'x.yaml',
      `x-a: &a { style: a, duration: 6 }\nx-b: &b { style: b, market: de }\nmovies:\n  - { id: m, prompt: ${prompt}, <<: [*a, *b], duration: 7 }\n`,
    );
    expect(row?.brief).toMatchObject({ style: 'a', durationSeconds: 7 });
    expect(row?.cells).toContain('de');
  });

  test.each([
    ['a name twice', `- id: a\n  prompt: ${prompt}\n  id: b\n`, 'error duplicate_key 1 3 - id'],
    [
      'two names of one field',
      `- id: a\n  prompt: ${prompt}\n  length: 8\n  seconds: 9\n`,
      'error duplicate_field 1 4 - seconds',
    ],
    ['an unknown tag', `- id: !mine a\n  prompt: ${prompt}\n`, 'error unknown_tag - 1 - -'],
    ['a colon in a text', `- id: a\n  prompt: A runner: at dawn\n`, 'error yaml_fault - 2 - -'],
    ['a text that begins with @', `- id: a\n  prompt: @brand logo spins\n`, 'error yaml_fault - 2 - -'],
    ['a tab', `- id: a\n\tprompt: ${prompt}\n`, 'error yaml_fault - 2 - -'],
    ['an alias to nothing', `- id: a\n  prompt: *none\n`, 'error bad_alias 1 2 - prompt'],
    ['a map where a text belongs', `- id: a\n  prompt: { de: x }\n`, 'error value_kind 1 2 - prompt'],
    ['a list where a text belongs', `- id: a\n  prompt: [${prompt}]\n`, 'error value_kind 1 2 - prompt'],
    ['a movie that is a text', `- ${prompt}\n`, 'error value_kind 1 1 - -'],
    ['a movie that is nothing', `- id: a\n  prompt: ${prompt}\n-\n`, 'error value_kind 2 3 - -'],
    ['several documents', `- id: a\n  prompt: ${prompt}\n---\n- id: b\n`, 'error several_documents - 3 - -'],
    ['no list of movies', 'campaign: x\n', 'error no_movies - 1 - -'],
    ['a list that is none', 'movies: soon\n', 'error no_movies - 1 - movies'],
    ['a file of comments alone', '# nothing\n', 'error empty_file - - - -'],
    ['a text alone', 'spring\n', 'error no_movies - 1 - -'],
    [
      'an unknown part of a reference',
      `- id: a\n  prompt: ${prompt}\n  references: [{ fil: x.png }]\n`,
      'error unknown_key 1 3 - references[0].fil',
    ],
    [
      'a default that cannot be one',
      `defaults: { prompt: ${prompt} }\nmovies: [{ id: a }]\n`,
      'error default - 1 - defaults.prompt',
    ],
  ])('%s is an error at its line', async (_what, text, line) => {
    expect(lines(await checkText('x.yaml', text))).toContain(line);
  });

  test('two names of one field are named as the movie spells them', async () => {
    const { findings } = await checkText('x.yaml', `- id: a\n  prompt: ${prompt}\n  length: 8\n  seconds: 9\n`);
    expect(findings[0]?.message).toContain('duration_seconds appears twice, as "length" and as "seconds"');
  });

  test('a fault says what to do and shows the line', async () => {
    const { findings } = await checkText('x.yaml', `- id: a\n  prompt: A runner: at dawn\n`);
    expect(findings[0]?.message).toContain('put the text in quotes');
    expect(findings[0]?.excerpt).toMatchObject({ line: 2, text: '  prompt: A runner: at dawn' });
  });

  test('a name that is not known is said, unless it is there for anchors; one that is almost known is an error', async () => {
    const rest = `movies: [{ id: a, prompt: ${prompt} }]`;
    const found = await checkText('x.yaml', `notes: spring\nx-mine: 1\n_mine: 2\n${rest}`);
    expect(lines(found)).toEqual(['warning unknown_key - 1 - notes']);
    const slip = await checkText('x.yaml', `default: { style: x }\ntoleranse: 3\n${rest}`);
    expect(lines(slip)).toEqual(['error unknown_key - 1 - default', 'error unknown_key - 2 - toleranse']);
    expect(slip.findings[0]?.message).toContain('did you mean defaults?');
  });

  test('more references than a movie takes are an error', async () => {
    const references = Array.from({ length: 21 }, (_, i) => `{ id: ref_${i}, role: other }`).join(', ');
    const found = await checkText('x.yaml', `- { id: a, prompt: ${prompt}, references: [${references}] }`);
    expect(lines(found)).toContain('error too_many_references 1 1 - references');
  });

  test('text that comes in block form is the text that a sheet has', async () => {
    const [block] = await briefsOf('x.yaml', `- id: a\n  prompt: |\n    ${prompt}\n    and stops\n`);
    const [cell] = await briefsOf('x.csv', `id,prompt\na,"${prompt}\r\nand stops"\n`);
    expect(block?.digest).toBe(cell?.digest);
  });

  test('past twenty thousand movies it advises CSV', async () => {
    const movies = Array.from({ length: 20_001 }, (_, i) => `- {id: a${i}, prompt: "${prompt} ${i}"}`);
    const found = await checkText('x.yaml', movies.join('\n'));
    expect(lines(found)).toEqual(['warning long_yaml - - - -']);
    expect(found.briefs).toBe(20_001);
  }, 60_000);
});
