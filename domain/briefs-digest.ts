import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical.js';
import type { ClassRules } from './row-class.js';

/** The settings that change what a sheet orders; the others change only how. */
export interface PlanSettings extends ClassRules {
  readonly budgetPath: string;
  readonly currency: string | null;
  readonly allowFree: boolean;
}

export interface BriefsDigester {
  add(row: { readonly rowKey: string; readonly contentDigest: string }): void;
  /** SHA-256 (hex) over settings and rows, whatever the order in which the rows came. */
  digest(): string;
}

/** Tells whether two submissions of a campaign ask for the same: a run that is started again finds its batch by it. */
export function digestBriefs(settings: PlanSettings): BriefsDigester {
  const { include, respend, allowDuplicates, allowFree, budgetPath, currency } = settings;
  const head = { include: [...include].sort(), respend, allowDuplicates, allowFree, budgetPath, currency };
  const rows: string[] = [];
  return {
    add: ({ rowKey, contentDigest }) => void rows.push(`${rowKey} ${contentDigest}\n`),
    digest() {
      const hash = sha256.create().update(utf8ToBytes(`${canonicalJson(head)}\n`));
      for (const row of rows.sort()) hash.update(utf8ToBytes(row));
      return bytesToHex(hash.digest());
    },
  };
}
