import { type Ledger, LedgerError, openLedger } from '../../../ledger/ledger.js';
import { admitRow } from '../../../ledger/orders/admission.js';
import { recordAnswer } from '../../../ledger/orders/record-answer.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { fay, setTime, studio } from '../scene.js';

/*
 * A process of its own, which does to a ledger what other processes do at the same moment. It is told its work as a
 * message, says `ready`, waits for `go`, and answers with what came of each item; then it is told the next.
 */

export interface RivalWork {
  readonly url: string;
  readonly nowMs: number;
  readonly what:
    | { readonly kind: 'approve'; readonly batchIds: readonly string[] }
    /** Admits the rows, each so many times. */
    | { readonly kind: 'admit'; readonly batchId: string; readonly rowKeys: readonly string[] }
    /** Admits the rows and has each refused for good by the service. */
    | { readonly kind: 'be refused'; readonly batchId: string; readonly rowKeys: readonly string[] };
}

const doing: { readonly [Kind in RivalWork['what']['kind']]: (ledger: Ledger, work: RivalWork) => Promise<string[]> } =
  {
    approve: async (ledger, { what, nowMs }) => {
      if (what.kind !== 'approve') return [];
      return outcomes(
        what.batchIds,
        async (batchId) => (await approveBatch(ledger, { batchId, actor: fay, nowMs })).kind,
      );
    },
    admit: async (ledger, { what }) => {
      if (what.kind !== 'admit') return [];
      const { batchId } = what;
      return outcomes(what.rowKeys, async (rowKey) => {
        const admission = await admitRow(ledger, { batchId, rowKey, service: studio });
        return admission.kind === 'blocked' ? admission.reason : admission.kind;
      });
    },
    'be refused': async (ledger, { what }) => {
      if (what.kind !== 'be refused') return [];
      const { batchId } = what;
      return outcomes(what.rowKeys, async (rowKey) => {
        const admission = await admitRow(ledger, { batchId, rowKey, service: studio });
        if (admission.kind !== 'send') return admission.kind === 'blocked' ? admission.reason : admission.kind;
        const answer = { kind: 'refused', status: 400, code: 'no', message: 'no', retryAfterMs: null } as const;
        const { attempt } = admission;
        await recordAnswer(ledger, { batchId, rowKey, attempt, answer, followInMs: 0 });
        return 'refused';
      });
    },
  };

async function outcomes(items: readonly string[], act: (item: string) => Promise<string>): Promise<string[]> {
  const found: string[] = [];
  for (const item of items) {
    found.push(
      await act(item).catch((error: unknown) => {
        if (error instanceof LedgerError) return error.code;
        throw error;
      }),
    );
  }
  return found;
}

let prepared: { readonly ledger: Ledger; readonly work: RivalWork } | undefined;

// What fails here ends this process, which the test that started it sees.
process.on('message', (message: RivalWork | 'go') => void answer(message));

async function answer(message: RivalWork | 'go'): Promise<void> {
  if (message !== 'go') {
    prepared = { ledger: await openLedger({ url: message.url }), work: message };
    setTime(prepared.ledger, () => message.nowMs);
    process.send?.('ready');
    return;
  }
  if (!prepared) return;
  const { ledger, work } = prepared;
  const found = await doing[work.what.kind](ledger, work);
  await ledger.close();
  process.send?.(found);
}
