import { describe, expect, test } from 'vitest';
import { fitTable } from '../../../cli/terminal/fit-table.js';
import { alignColumns, columnsOf, cutEnd, cutStart, roomOf, wrapWords } from '../../../cli/terminal/text-width.js';
import { printable } from '../../../reports/wording/printable.js';

describe('text that must fit', () => {
  test('names lose their start and sentences their end, by columns and not by characters', () => {
    expect(cutStart('spring/hero-16x9', 10)).toBe('…hero-16x9');
    expect(cutEnd('in-flight limit', 10)).toBe('in-flight…');
    expect(cutEnd('映画を作る', 5)).toBe('映画…');
    expect(cutStart('映画を作る', 5)).toBe('…作る');
    expect(cutEnd('fits', 4)).toBe('fits');
  });

  test('columns line up also with wide characters, and lines end without blanks', () => {
    const rows = [
      ['new', '120', 'USD'],
      ['映画', '8', ''],
    ];
    expect(alignColumns(rows, [{}, { align: 'right' }])).toEqual(['new   120  USD', '映画    8']);
  });

  test('sentences break between words, and a long word stays whole', () => {
    expect(wrapWords('Cannot run spring.csv: winter-1 is in the way', 22)).toEqual([
      'Cannot run spring.csv:',
      '  winter-1 is in the',
      '  way',
    ]);
    expect(wrapWords('see http://127.0.0.1:7337/batches/spring-launch-3', 20)).toEqual([
      'see',
      '  http://127.0.0.1:7337/batches/spring-launch-3',
    ]);
    expect(wrapWords('fits', 20)).toEqual(['fits']);
  });

  test('a word that only its indentation makes too long is indented less', () => {
    expect(wrapWords('        GREENLIGHT_STUDIO', 20)).toEqual(['   GREENLIGHT_STUDIO']);
    expect(wrapWords('key GREENLIGHT_STUDIO_KEY', 20, '    ')).toEqual(['key', '    GREENLIGHT_STUDIO_KEY']);
    expect(wrapWords('key GREENLIGHT_STUDIO', 20, '    ')).toEqual(['key', '   GREENLIGHT_STUDIO']);
  });

  test.each([
    [
      'No findings; 6 movies. Nothing was sent. Next: greenlight plan spring-launch.csv',
      ['No findings; 6 movies. Nothing was sent. Next:', '  greenlight plan spring-launch.csv'],
    ],
    [
      'finance approval since 06:31:31; dana or lee (finance): greenlight approve spring-1 --digest bfe536fd25b0',
      [
        'finance approval since 06:31:31; dana or lee (finance):',
        '  greenlight approve spring-1 --digest bfe536fd25b0',
      ],
    ],
    [
      'Next: greenlight open spring-launch-1, or greenlight bundle spring-launch-1 --zip',
      ['Next: greenlight open spring-launch-1, or', '  greenlight bundle spring-launch-1 --zip'],
    ],
    [
      'Detached; the batch continues (greenlight logs spring-launch-1). It says more: greenlight status',
      ['Detached; the batch continues', '  (greenlight logs spring-launch-1). It says more:', '  greenlight status'],
    ],
  ])('a command that has room on a line is not broken: %s', (text, lines) => {
    expect(wrapWords(text, 60)).toEqual(lines);
  });

  test('one that has no room on any breaks between its words', () => {
    expect(wrapWords('Next: greenlight approve spring-launch-1 --digest bfe536fd25b0', 40)).toEqual([
      'Next: greenlight approve spring-launch-1',
      '  --digest bfe536fd25b0',
    ]);
  });

  test('the last column that has anything is the one that breaks', () => {
    const rows = [
      ['BATCH', 'WHY', ''],
      ['two-1', 'the answer of the service was lost, so nothing more is sent', ''],
    ];
    expect(fitTable(rows, { columns: 40 })).toEqual([
      'BATCH  WHY',
      'two-1  the answer of the service was',
      '       lost, so nothing more is sent',
    ]);
  });

  test('a cell with a path too long for its column has lines of its own', () => {
    const path = `/srv/${'films/'.repeat(6)}out`;
    const rows = [
      ['ok', 'node', 'v20'],
      ['ok', 'archive', `embedded, ${path} (TEMPORAL_CLI_PATH)`],
    ];
    expect(fitTable(rows, { columns: 52 })).toEqual([
      'ok  node     v20',
      'ok  archive',
      '  embedded,',
      `    ${path}`,
      '    (TEMPORAL_CLI_PATH)',
    ]);
  });

  test('the width is COLUMNS, else the terminal, else 80', () => {
    expect(columnsOf({ columns: 120 }, { COLUMNS: '60' })).toBe(60);
    expect(columnsOf({ columns: 120 }, {})).toBe(120);
    expect(columnsOf({}, { COLUMNS: 'wide' })).toBe(80);
    expect(roomOf({ isTTY: true, columns: 120 }, {})).toBe(120);
    expect(roomOf({}, {})).toBe(Number.POSITIVE_INFINITY);
  });

  test("somebody else's words cannot move the cursor, change colours or turn text around", () => {
    expect(printable('a\u001b[2Jb\r\nc\u202ed\u0007')).toBe('a [2Jb c d');
  });
});
