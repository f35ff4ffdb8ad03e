import { createHash } from 'node:crypto';
import { type Lineage, lineageIdentity } from '../lineage.js';
import type { RowClass } from '../row-class.js';
import { canonicalJson } from './canonical.js';

/** What an approval is bound to, apart from the rows. */
export interface PlanHead extends Lineage {
  /** Null for a plan that orders nothing. */
  readonly currency: string | null;
  readonly budgetPath: string;
  readonly policyVersion: number;
}

export interface PlannedRow {
  readonly rowKey: string;
  readonly class: RowClass;
  readonly contentDigest: string;
  /** Null for a row that is not ordered. */
  readonly amountMinor: number | null;
}

export interface PlanDigester {
  /** @throws Error unless the rows come by ascending key: the sheet's order must not matter. */
  add(row: PlannedRow): void;
  /** SHA-256 (hex) of the plan's canonical JSON (RFC 8785). */
  digest(): { readonly planDigest: string; readonly totalMinor: number };
}

/** Digests a plan of any size in constant memory: canonical JSON is written piece by piece into the hash. */
export function digestPlan(head: PlanHead): PlanDigester {
  const { service, campaign, currency, budgetPath, policyVersion } = head;
  const hash = createHash('sha256');
  const write = (text: string) => hash.update(text);
  let totalMinor = 0;
  let lastKey: string | null = null;
  // The members of the document in the order that RFC 8785 gives them: budget_path … rows, total_minor.
  const before = canonicalJson({
    budget_path: budgetPath,
    currency,
    lineage: lineageIdentity({ service, campaign }),
    policy_version: policyVersion,
  });
  write(`${before.slice(0, -1)},"rows":[`);
  return {
    add({ rowKey, class: rowClass, contentDigest, amountMinor }) {
      if (lastKey !== null && rowKey <= lastKey) {
        throw new Error(`Cannot digest the plan: row "${rowKey}" comes after "${lastKey}"; rows must be sorted by key`);
      }
      const row = canonicalJson({ key: rowKey, class: rowClass, content: contentDigest, amount_minor: amountMinor });
      write(lastKey === null ? row : `,${row}`);
      lastKey = rowKey;
      totalMinor += amountMinor ?? 0;
    },
    digest() {
      write(`],"total_minor":${totalMinor}}`);
      return { planDigest: hash.digest('hex'), totalMinor };
    },
  };
}
