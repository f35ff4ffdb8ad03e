import { type AspectRatio, aspectRatios } from '../../domain/brief.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { looksLikeDate, minutesPastMidnight } from './minutes-of-day.js';

export type RatioReading = { readonly ratio: AspectRatio; readonly repaired: boolean } | { readonly trouble: Trouble };

const wanted = `use ${aspectRatios.join(' ')}`;

const words: ReadonlyMap<string, AspectRatio> = new Map([
  ['landscape', '16:9'],
  ['portrait', '9:16'],
  ['square', '1:1'],
]);

/**
 * A spreadsheet takes `16:9` for a time of day, nine minutes past four in the afternoon. Its minutes past midnight tell
 * which ratio was typed, whatever the time looks like by now.
 */
const byMinutes: ReadonlyMap<number, AspectRatio> = new Map(
  aspectRatios.map((ratio) => {
    const [hours, minutes] = ratio.split(':').map(Number);
    return [(hours ?? 0) * 60 + (minutes ?? 0), ratio];
  }),
);

/** In characters: no ratio, time or date is longer, and the patterns below would take ages over a longer text. */
const maxRatioLength = 100;

/** Reads one ratio of a cell. A time of day that can only be one of the four ratios is repaired; else it is refused. */
export function readAspectRatio(written: string): RatioReading {
  const known = ratioAsWritten(written);
  if (known) return { ratio: known, repaired: false };
  if (written.length > maxRatioLength) return { trouble: notOffered(written) };
  const text = written.normalize('NFKC').trim();
  const typed = ratioAsWritten(text);
  if (typed) return { ratio: typed, repaired: false };
  const minutes = minutesPastMidnight(text);
  const repaired = minutes === null ? undefined : byMinutes.get(minutes);
  if (repaired) return { ratio: repaired, repaired: true };
  return { trouble: troubleOf(written, text, minutes) };
}

export function ratioRepair(before: string, after: AspectRatio): Trouble {
  const message = `a spreadsheet had made a time of ${after}`;
  return { severity: 'repair', code: 'ratio_repaired', message, before, after };
}

function ratioAsWritten(text: string): AspectRatio | undefined {
  const exact = aspectRatios.find((ratio) => ratio === text);
  if (exact) return exact;
  const [, width, height] = /^\s*([1-9]\d?)\s*[:x×/∶]\s*([1-9]\d?)\s*$/i.exec(text) ?? [];
  if (width === undefined) return words.get(text.trim().toLowerCase());
  return aspectRatios.find((ratio) => ratio === `${width}:${height}`);
}

function troubleOf(before: string, text: string, minutes: number | null): Trouble {
  const error = (code: string, what: string) => refused(before, code, what);
  if (looksLikeDate(text)) return error('ratio_date', 'is a date: a spreadsheet changed the cell');
  if (minutes !== null && !/^\d+$/.test(text)) {
    return error('ratio_time', 'is a time of none of the ratios: a spreadsheet may have changed the cell');
  }
  const [, width, height] = /^(\d{3,5})\s*[:x×]\s*(\d{3,5})(?:\s*px)?$/i.exec(text) ?? [];
  if (width !== undefined) {
    const close = aspectRatios.find((ratio) => sameShape(ratio, Number(width), Number(height)));
    return error('ratio_unknown', `is a size in pixels${close ? ` (${close})` : ''}`);
  }
  return notOffered(before);
}

function notOffered(before: string): Trouble {
  return refused(before, 'ratio_unknown', 'is not offered');
}

function refused(before: string, code: string, what: string): Trouble {
  const shown = before.length > 40 ? `${before.slice(0, 39)}…` : before;
  return { severity: 'error', code, message: `"${shown}" ${what}; ${wanted}`, before };
}

function sameShape(ratio: AspectRatio, width: number, height: number): boolean {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  return Math.abs(width / height - across / down) < 0.01;
}
