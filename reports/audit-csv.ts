import type { AuditRecord } from '../ledger/access/audit.js';
import { byteOrderMark, csvLine, csvTime } from './csv-line.js';

export const auditColumns = ['record', 'at_utc', 'by', 'channel', 'act', 'object', 'detail', 'after_entry', 'hash'];

/** For a spreadsheet: a line for each record, with the hash that chains it to the one before. */
export function auditCsvHead({ marked }: { readonly marked: boolean }): string {
  return (marked ? byteOrderMark : '') + csvLine(auditColumns);
}

export function auditCsvRow({ seq, atMs, actor, act, object, detail, afterEntry, hash }: AuditRecord): string {
  const words = detailText(detail);
  return csvLine([String(seq), csvTime(atMs), actor.name, actor.channel, act, object, words, String(afterEntry), hash]);
}

/** Empty where there is nothing more to say. */
export function detailText(detail: AuditRecord['detail']): string {
  return Object.keys(detail).length === 0 ? '' : JSON.stringify(detail);
}
