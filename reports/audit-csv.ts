import type { AuditRecord } from '../ledger/access/audit.js';
import { byteOrderMark, csvLine, csvTime } from './csv-line.js';

/** For a spreadsheet: a line for each record, with the hash that chains it to the one before. */
export function auditCsvHead({ marked }: { readonly marked: boolean }): string {
  const names = ['record', 'at_utc', 'by', 'channel', 'act', 'object', 'detail', 'after_entry', 'hash'];
  return (marked ? byteOrderMark : '') + csvLine(names);
}

export function auditCsvRow({ seq, atMs, actor, act, object, detail, afterEntry, hash }: AuditRecord): string {
  const words = Object.keys(detail).length === 0 ? '' : JSON.stringify(detail);
  return csvLine([String(seq), csvTime(atMs), actor.name, actor.channel, act, object, words, String(afterEntry), hash]);
}
