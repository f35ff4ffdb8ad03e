import { limits } from '../../domain/interface-limits.js';
import type { Trouble } from '../../sheets/findings/finding.js';

export type DurationReading = { readonly seconds: number } | { readonly trouble: Trouble };

const { durationSecondsMin: shortest, durationSecondsMax: longest } = limits;
const wanted = `use whole seconds from ${shortest} to ${longest}`;

/** In characters: no duration is longer, and the patterns below would take ages over a longer text. */
const maxLength = 64;

/**
 * Reads a duration as people write it: `8`, `8s`, `8 sec`, `8.0`, `8,0`, `0:08`, `1:30`, `00:01:30`. A figure that may
 * be a thousand or a fraction (`1,000`, `1.000`) is refused, not guessed.
 */
export function readDuration(written: string): DurationReading {
  const plain = /^[1-9]\d{0,2}$/.test(written) ? Number(written) : 0;
  if (plain >= shortest && plain <= longest) return { seconds: plain };
  if (written.length > maxLength) return refused('duration_form', written, `is not a valid duration; ${wanted}`);
  const text = written.normalize('NFKC').trim().toLowerCase();
  const withoutUnit = text.replace(/\s*(?:s|secs?\.?|seconds?)$/, '');
  if (/^-?\d{1,3}[.,]\d{3}$/.test(withoutUnit) && !/^-?0/.test(withoutUnit)) {
    return refused('duration_ambiguous', written, `is ambiguous; ${wanted}`);
  }
  const seconds = plainSeconds(withoutUnit) ?? clockSeconds(text) ?? spokenSeconds(text);
  if (seconds === null) return refused('duration_form', written, `is not a valid duration; ${wanted}`);
  if (!Number.isInteger(seconds)) return refused('duration_whole', written, `is ${seconds} s, not whole; ${wanted}`);
  if (seconds < shortest || seconds > longest) {
    return refused('duration_range', written, `is ${seconds} s; ${wanted}`);
  }
  return { seconds };
}

function plainSeconds(text: string): number | null {
  return /^-?\d{1,9}(?:[.,]\d{1,15})?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

/** `m:ss` and `h:mm:ss`, as a player shows it. */
function clockSeconds(text: string): number | null {
  const [, hours = '0', minutes, seconds] = /^(?:(\d{1,2}):)?(\d{1,3}):(\d{2})$/.exec(text) ?? [];
  if (minutes === undefined || Number(seconds) > 59) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** `1 min`, `1m30s`, `1 min 30 s`. */
function spokenSeconds(text: string): number | null {
  const spoken = /^(\d{1,2})\s*(?:m|mins?|minutes?)(?:\s*(\d{1,2})\s*(?:s|secs?|seconds?))?$/.exec(text);
  return spoken ? Number(spoken[1]) * 60 + Number(spoken[2] ?? 0) : null;
}

function refused(code: string, before: string, what: string): DurationReading {
  const shown = before.length > 40 ? `${before.slice(0, 39)}…` : before;
  return { trouble: { severity: 'error', code, message: `"${shown}" ${what}`, before } };
}
