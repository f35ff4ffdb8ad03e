import { formatMoney } from '../../domain/money.js';
import type { AuditRecord } from '../../ledger/access/audit.js';
import { printable } from './printable.js';
import { formatTime } from './time-text.js';

/** What somebody did, e.g. `approve by dana`. */
function actWords({ act, actor }: Pick<AuditRecord, 'act' | 'actor'>): string {
  return `${act.replaceAll('_', ' ')} by ${printable(actor.name)}`;
}

/** What somebody did with a batch and why, e.g. `cancel by oli: wrong logo (2 rows)`; the audit has all of it. */
export function actSentence(record: Pick<AuditRecord, 'act' | 'actor' | 'detail'>): string {
  const { reason, keys } = record.detail;
  const why = typeof reason === 'string' && reason !== '' ? `: ${printable(reason)}` : '';
  const rows = Array.isArray(keys) ? ` (${keys.length === 1 ? '1 row' : `${keys.length} rows`})` : '';
  return `${actWords(record)}${why}${rows}`;
}

/**
 * As `rows 54, total 390.00 USD, reason: enough`: what is not known is left out, a digest is shown by its beginning.
 *
 * @param currency of amounts that do not say it themselves; null where it is not known.
 */
export function detailWords(detail: AuditRecord['detail'], currency: string | null = null): string {
  const ofItself = typeof detail.currency === 'string' ? detail.currency : currency;
  const parts = Object.entries(detail).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false) return [];
    if (name === 'currency' && ofItself !== null) return [];
    return [factWords(name, value, ofItself)];
  });
  return printable(parts.join(', '));
}

function factWords(name: string, value: unknown, currency: string | null): string {
  const words = name.replace(/_(minor|ms)$/, '').replaceAll('_', ' ');
  if (value === true) return words;
  if (name === 'reason') return `reason: ${value}`;
  if (typeof value === 'number' && /_minor$|^limit_before$/.test(name)) {
    const amount = currency === null ? `${value} minor units` : formatMoney({ amountMinor: value, currency });
    return `${words} ${amount}`;
  }
  if (typeof value === 'number' && name.endsWith('_ms')) return `${words} ${formatTime(value)}`;
  if (typeof value !== 'string') return `${words} ${listWords(value)}`;
  return `${words} ${shortHash(value)}`;
}

function shortHash(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}

function listWords(value: unknown): string {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList) return value.join(' ');
  return JSON.stringify(value, (_, one) => (typeof one === 'string' ? shortHash(one) : one));
}
