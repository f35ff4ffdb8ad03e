import { formatMoney } from '../../domain/money.js';
import type { AuditRecord } from '../../ledger/access/audit.js';
import { printable } from './printable.js';
import { formatTime } from './time-text.js';

/** What somebody did, e.g. `approve by dana`, or tried, e.g. `approve by ana refused`. */
function actWords({ act, actor }: Pick<AuditRecord, 'act' | 'actor'>): string {
  const [, done = act, refused = ''] = /^(.*?)(_refused)?$/.exec(act) ?? [];
  return `${done.replaceAll('_', ' ')} by ${printable(actor.name)}${refused.replace('_', ' ')}`;
}

/** What somebody did with a batch and why, e.g. `cancel by oli: wrong logo (2 rows)`; the audit has all of it. */
export function actSentence(record: Pick<AuditRecord, 'act' | 'actor' | 'detail'>): string {
  const { reason, keys } = record.detail;
  const why = typeof reason === 'string' && reason !== '' ? `: ${printable(whyOf(record.act, reason))}` : '';
  const rows = Array.isArray(keys) ? ` (${keys.length === 1 ? '1 row' : `${keys.length} rows`})` : '';
  return `${actWords(record)}${why}${rows}`;
}

/** A refusal says once more what was refused, as `Cannot approve spring-1: ana does not have …`. */
function whyOf(act: string, reason: string): string {
  return act.endsWith('_refused') ? reason.replace(/^Cannot .*?: /, '') : reason;
}

/** One thing that is known of an act, e.g. `rows 54`. */
export interface DetailPart {
  readonly words: string;
  /** A moment that follows the words; whoever shows it says it in their way. */
  readonly atMs?: number;
  /** All of what the words say in short, as the audit has it. */
  readonly exact?: string;
}

/**
 * What is known of an act, as people read it: what is not known is left out, of two versions what changed is said, a
 * digest is shown by its beginning.
 *
 * @param currency of amounts that do not say it themselves; null where it is not known.
 */
export function detailParts(detail: AuditRecord['detail'], currency: string | null = null): readonly DetailPart[] {
  const { before, after, ...rest } = detail;
  if (isObject(before) && isObject(after)) return [...changes(before, after), ...detailParts(rest, currency)];
  const ofItself = typeof detail.currency === 'string' ? detail.currency : currency;
  return Object.entries(detail).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false) return [];
    if (name === 'currency' && ofItself !== null) return [];
    const part = partOf(name, value, ofItself);
    return [{ ...part, words: printable(part.words) }];
  });
}

/** The same on one line, as `rows 54, total 390.00 USD, reason: enough`. */
export function detailWords(detail: AuditRecord['detail'], currency: string | null = null): string {
  const parts = detailParts(detail, currency);
  return parts.map(({ words, atMs }) => (atMs === undefined ? words : `${words} ${formatTime(atMs)}`)).join(', ');
}

function partOf(name: string, value: unknown, currency: string | null): DetailPart {
  const words = nameWords(name);
  if (value === true) return { words };
  if (name === 'reason') return { words: `reason: ${value}` };
  if (typeof value === 'number' && /_minor$|^limit_before$/.test(name)) {
    const amount = currency === null ? `${value} minor units` : formatMoney({ amountMinor: value, currency });
    return { words: `${words} ${amount}` };
  }
  if (typeof value === 'number' && name.endsWith('_ms')) return { words, atMs: value };
  const said = valueWords(value);
  const exact = exactOf(value, said);
  return { words: `${words} ${isObject(value) ? `(${said})` : said}`, ...(exact !== null && { exact }) };
}

/** Of what is long, a page has a part; the files that can be taken away have all of it. */
const mostExact = 400;

function exactOf(value: unknown, said: string): string | null {
  if (typeof value !== 'object') return typeof value === 'string' && said !== value ? value : null;
  if (Array.isArray(value) && value.join(' ') === said) return null;
  const json = JSON.stringify(value);
  return json.length > mostExact ? `${json.slice(0, mostExact)}…` : json;
}

/** `approvalDays` and `plan_digest` as words; units are said with the value. */
function nameWords(name: string): string {
  const apart = name.replace(/_(minor|ms)$/, '').replaceAll(/([a-z\d])([A-Z])/g, '$1 $2');
  return apart.replaceAll('_', ' ').toLowerCase();
}

const listed = 12;

function valueWords(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString('en-US');
  if (typeof value === 'string') return shortHash(value);
  if (Array.isArray(value)) {
    const between = value.every((one) => typeof one === 'string') ? ' ' : '; ';
    const more = value.length > listed ? `${between}and ${value.length - listed} more` : '';
    return value.slice(0, listed).map(valueWords).join(between) + more;
  }
  const { amountMinor, currency } = value as { amountMinor?: unknown; currency?: unknown };
  if (typeof amountMinor === 'number' && typeof currency === 'string') return formatMoney({ amountMinor, currency });
  return Object.entries(value)
    .map(([name, one]) => `${nameWords(name)} ${isObject(one) ? `(${valueWords(one)})` : valueWords(one)}`)
    .join(', ');
}

/** What differs between two versions, however deep, e.g. `approval days 14, was 7`. */
function changes(before: object, after: object): readonly DetailPart[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([name, now]): readonly DetailPart[] => {
    const was = old.get(name);
    if (JSON.stringify(was) === JSON.stringify(now)) return [];
    const isPlain = !isObject(was) || !isObject(now) || 'amountMinor' in now;
    if (!isPlain) return changes(was, now).map((part) => ({ ...part, words: `${nameWords(name)} ${part.words}` }));
    return [{ words: printable(`${nameWords(name)} ${valueWords(now)}, was ${valueWords(was)}`) }];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shortHash(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}
