import type { BatchView } from '../../ledger/batches/batches.js';
import type { OpenManifest } from '../../operations/open-manifest.js';

/** Settings that are no part of a plan: the same rows under others are the same batch. */
const keptSettings = [
  ['tolerance', 'tolerance'],
  ['canary', 'canary'],
  ['maxInFlight', 'in-flight limit'],
  ['priority', 'priority'],
  ['deadlineSeconds', 'deadline'],
] as const;

/** A sheet whose rows an open batch has already joins that batch, which keeps what it was submitted with. */
export function attachedWords(
  { batchId, settings }: Pick<BatchView, 'batchId' | 'settings'>,
  asked: OpenManifest['settings'],
): string {
  const other = keptSettings
    .filter(([key]) => (settings[key] ?? null) !== (asked[key] ?? null))
    .map(([, name]) => name);
  const kept = other.length === 0 ? '' : ` and keeps the settings it was submitted with: ${other.join(', ')}`;
  return `${batchId} continues: it has exactly these rows${kept}`;
}
