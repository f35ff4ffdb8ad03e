import type { AuditRecord } from '../../ledger/access/audit.js';
import { printable } from './printable.js';

/** What somebody did, e.g. `approve by dana`. */
export function actWords({ act, actor }: Pick<AuditRecord, 'act' | 'actor'>): string {
  return `${act.replaceAll('_', ' ')} by ${printable(actor.name)}`;
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
