import type { Node } from 'yaml';
import { bareName } from '../../sheets/bare-name.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import type { BatchSettings } from '../tables/table.js';
import type { YamlReader } from './yaml-reader.js';

interface Kind {
  /** Null for a known setting that a manifest cannot make. */
  readonly setting: keyof BatchSettings | null;
  /** The value, or null when the text is invalid. */
  read(text: string): string | number | null;
  readonly wanted: string;
}

const budgetPath = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

const kindList: readonly (Kind & { readonly key: string })[] = [
  { key: 'budget', setting: 'budget', read: matching(budgetPath), wanted: 'a path such as acme/emea' },
  { key: 'canary', setting: 'canary', read: wholeFrom(1), wanted: 'a whole number of movies from 1' },
  { key: 'tolerance', setting: 'tolerance', read: wholeFrom(0), wanted: 'a whole number of movies from 0' },
  { key: 'max_in_flight', setting: 'maxInFlight', read: wholeFrom(1), wanted: 'a whole number of movies from 1' },
  { key: 'priority', setting: 'priority', read: priority, wanted: 'a whole number from 1 (first) to 5 (last)' },
  { key: 'deadline', setting: 'deadlineSeconds', read: seconds, wanted: 'a length such as 90 min, 6 h or 2 d' },
  { key: 'archive', setting: null, read: matching(/^(?:file|s3):\S+$/), wanted: 'a file: or s3: URL' },
];

const kinds: ReadonlyMap<string, Kind> = new Map(kindList.map((kind) => [bareName(kind.key), kind]));

export const settingNames: readonly string[] = kindList.map(({ key }) => key);

/** Reads one setting into `settings`; false for an unknown key. */
export function readSetting(
  key: string,
  node: Node | null,
  reader: YamlReader,
  settings: Mutable<BatchSettings>,
): boolean {
  const kind = kinds.get(bareName(key));
  if (!kind) return false;
  const text = reader.text(node, key);
  if (text === null || text.text === '') return true;
  const value = text.parts === null ? kind.read(text.text.trim()) : null;
  if (value === null) reader.note(node, key, wrong(text.text, kind.wanted));
  else if (kind.setting === null) reader.note(node, key, notUsed(key));
  else Object.assign(settings, { [kind.setting]: value });
  return true;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function wrong(text: string, wanted: string): Trouble {
  const message = `"${text.slice(0, 60)}" is not ${wanted}`;
  return { severity: 'error', code: 'setting', message, before: text };
}

/** One installation keeps its files in one place, whoever writes the sheet, and keeps books on what is there. */
function notUsed(key: string): Trouble {
  const message = `"${key}" is not used: the installation says where files go, by --out or GREENLIGHT_ARCHIVE_URL`;
  return { severity: 'warning', code: 'setting_not_used', message };
}

function matching(pattern: RegExp) {
  return (text: string) => (pattern.test(text) ? text : null);
}

function wholeFrom(least: number) {
  return (text: string) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : null);
}

function priority(text: string): number | null {
  return /^[1-5]$/.test(text) ? Number(text) : null;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function seconds(text: string): number | null {
  const [, amount, unit = 's'] = /^(\d{1,7})\s*(s|m|h|d)?(?:ec|in|ours?|ays?|inutes?|econds?)?$/i.exec(text) ?? [];
  const value = Number(amount) * (unitSeconds[unit.toLowerCase()] ?? 1);
  return amount !== undefined && value > 0 ? value : null;
}
