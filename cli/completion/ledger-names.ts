import { listBatches, listRows } from '../../operations/batches.js';
import { listBudgets } from '../../operations/money/budgets.js';
import { type Session, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import type { Candidate, LedgerNames } from './candidates.js';

const shownBatches = 100;
const shownRows = 200;

/** Names of the ledger that this folder and environment name, for who is at the terminal; none where it cannot be read. */
export function createLedgerNames(context: CliContext): LedgerNames {
  const look = async <T>(work: (session: Session) => Promise<readonly T[]>) =>
    withSession(context, {}, work).catch(() => []);
  const batches = () =>
    look(async ({ deps, actor }) => listBatches(deps, { actor: await actor(), limit: shownBatches }));
  return {
    batches: async () =>
      (await batches()).map(({ batch }) => ({ value: batch.batchId, about: batch.state satisfies string })),
    campaigns: async () => distinct((await batches()).map(({ batch }) => batch.campaign)),
    rows: (batchId, keyPrefix) =>
      look(async ({ deps, actor }) => {
        const rows = await listRows(deps, { actor: await actor(), batchId, keyPrefix, limit: shownRows });
        return rows.map(({ rowKey, state }) => ({ value: rowKey, about: state satisfies string }));
      }),
    budgets: () =>
      look(async ({ deps, actor }) =>
        distinct((await listBudgets(deps, { actor: await actor() })).map(({ path }) => path)),
      ),
  };
}

function distinct(values: readonly string[]): readonly Candidate[] {
  return [...new Set(values)].map((value) => ({ value, about: '' }));
}
