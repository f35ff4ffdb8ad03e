import type { AuditRecord } from '../../ledger/access/audit.js';
import { printable } from './printable.js';

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

/** As `rows=54 reason="enough"`: what is not known is left out, a digest is shown by its beginning. */
export function detailWords(detail: AuditRecord['detail']): string {
  const parts = Object.entries(detail).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (typeof value !== 'string') return [`${name}=${JSON.stringify(value)}`];
    return [`${name}=${/^[0-9a-f]{64}$/.test(value) ? value.slice(0, 12) : JSON.stringify(value)}`];
  });
  return printable(parts.join(' '));
}
