import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { type Progress, progressLines, progressRecord } from '../../../cli/views/progress-view.js';
import { type CountName, countNames } from '../../../reports/wording/state-words.js';

const none = Object.fromEntries(countNames.map((name) => [name, 0])) as Record<CountName, number>;
const spring: Progress = {
  batchId: 'spring-launch-3',
  state: 'in progress',
  rehearsal: false,
  counts: { ...none, delivered: 62, 'in progress': 40, saving: 3, waiting: 22, failed: 2, unknown: 1 },
  money: { currency: 'USD', posted: 32_100, held: 300, approved: 39_000 },
  reasons: ['waiting 22: in-flight limit of the batch: 40 in progress, continues as one finishes'],
  last: 'ep-07 failed: moderation',
  link: 'http://127.0.0.1:7337/',
  elapsedMs: 18 * 60_000,
  left: { fromMs: 15 * 60_000, toMs: 25 * 60_000, measured: 40 },
};
const at = (columns: number, plain = false) => ({ columns, plain, paint: (_tone: string, text: string) => text });

describe('the live block', () => {
  test('says state, time, counts, money and what waits', () => {
    expect(progressLines(spring, at(80))).toEqual([
      'spring-launch-3  in progress  62/130 delivered  18 min, 15-25 min left',
      '[#############################=~~~~~~~~~~~~~~~~~~xx..........]',
      'delivered 62  in progress 40  saving 3  waiting 22  failed 2  unknown 1',
      'posted 321.00  held 3.00  approved 390.00 USD',
      'waiting 22: in-flight limit of the batch: 40 in progress, continues as one',
      '  finishes',
      'last: ep-07 failed: moderation   http://127.0.0.1:7337/',
    ]);
  });

  test('never is wider than the terminal', () => {
    const long = { ...spring, batchId: 'a-campaign-with-quite-a-long-name-2026-q4-17', last: 'x'.repeat(300) };
    for (const columns of [30, 40, 59, 60, 66, 80, 100]) {
      for (const line of progressLines(long, at(columns))) {
        expect(stringWidth(line), `${columns}: ${line}`).toBeLessThanOrEqual(columns);
      }
    }
  });

  test('under 60 columns gives each fact its line', () => {
    expect(progressLines(spring, at(40)).slice(0, 4)).toEqual([
      'spring-launch-3',
      'in progress 62/130',
      '18 min',
      'delivered 62',
    ]);
  });

  test('what holds rows up is said, also to a pipe', () => {
    const full = 'saving 2: Cannot write the download: the disk is full (ENOSPC)';
    const reasons = [full, ...spring.reasons];
    expect(progressLines({ ...spring, reasons }, at(80))).toContain(full);
    expect(progressLines({ ...spring, reasons }, at(40)).join(' ')).toContain('saving 2: Cannot write');
    expect(progressRecord({ ...spring, reasons }, 0)).toContain(`(${full}; waiting 22`);
  });

  test('what is to be typed is broken between words, never cut; beyond a few reasons are counted', () => {
    const command = 'greenlight budget start acme/emea/spring-launch-2026';
    const reasons = Array.from(
      { length: 6 },
      (_, index) => `waiting ${index}: budget stopped; dana (finance): ${command}`,
    );
    for (const columns of [60, 80]) {
      const text = progressLines({ ...spring, reasons }, at(columns))
        .join('\n')
        .replace(/\n\s+/g, ' ');
      expect(text).toContain(command);
    }
    expect(progressLines({ ...spring, reasons }, at(80))).toContain('and 2 more: greenlight status');
  });

  test('the bar is as long when every row ended as when none has', () => {
    const bar = (counts: Partial<Record<CountName, number>>) =>
      progressLines({ ...spring, counts: { ...none, ...counts } }, at(80))[1];
    expect(bar({ waiting: 7 })).toBe(`[${'.'.repeat(60)}]`);
    expect(bar({ delivered: 7 })).toBe(`[${'#'.repeat(60)}]`);
    expect(bar({ delivered: 1, failed: 1, canceled: 1 })).toBe(`[${'#'.repeat(20)}${'x'.repeat(40)}]`);
  });

  test('a rehearsal says that its money is none', () => {
    expect(progressLines({ ...spring, rehearsal: true }, at(80)).join('\n')).toContain('390.00 USD (rehearsal)');
  });
});

test('a line for a pipe names every number and is never cut', () => {
  expect(progressRecord(spring, Date.UTC(2026, 10, 28))).toMatch(
    /^2026-11-\S+ spring-launch-3 in_progress delivered=62 in_progress=40 saving=3 waiting=22 failed=2 unknown=1 posted=321\.00 held=3\.00 currency=USD \(waiting 22: in-flight limit of the batch: 40 in progress, continues as one finishes\)$/,
  );
});
