import type { CounterDifference } from '../../ledger/verification/counter-check.js';
import type { BookFault } from '../../ledger/verification/ledger-fault.js';
import { printable } from './printable.js';

/** A counter that is not what its entries say. */
export function differenceWords({ of, counter, counted, byEntries }: CounterDifference): string {
  return `${of}: ${counter} is ${counted}, its entries say ${byEntries} (minor units)`;
}

/** What contradicts something else in the books, and of which batch or row. */
export function faultWords({ kind, of, rowKey, detail }: BookFault): string {
  const object = rowKey === null ? of : `${of} ${rowKey}`;
  return `${printable(object)}: ${kind.replaceAll('_', ' ')}: ${printable(detail)}`;
}

/** A chain that was cut and closed again looks whole: only what is kept elsewhere tells. */
export function outsideWords(outside: { readonly marks: number; readonly certificates: number } | null): string {
  if (outside === null) return 'no archive on this machine: nothing outside the ledger was compared';
  const { marks, certificates } = outside;
  return `compared with ${marks} ${marks === 1 ? 'mark' : 'marks'} and ${certificates} ${
    certificates === 1 ? 'certificate' : 'certificates'
  } of the archive`;
}
