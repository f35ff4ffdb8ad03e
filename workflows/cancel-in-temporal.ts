import { CancellationScope } from '@temporalio/workflow';

/**
 * A cancellation made in Temporal's own tools becomes an intent in the ledger; rows end as for any other cancel.
 *
 * @param request records the intent, with the words of its reason
 * @param look has the workflow look at the ledger
 */
export function takeCancel(request: (reason: string) => Promise<void>, look: () => void): void {
  CancellationScope.current().cancelRequested.catch(() =>
    CancellationScope.nonCancellable(async () => {
      await request('canceled in Temporal');
      look();
    }),
  );
}
