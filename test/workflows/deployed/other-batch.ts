import { sleep } from '@temporalio/workflow';
import { batchWorkflow as before } from '../../../workflows/batch-workflow.js';
import type { Batch } from '../../../workflows/produce.js';

export { reconcileWorkflow } from '../../../workflows/reconcile-workflow.js';
export { sliceWorkflow } from '../../../workflows/slice-workflow.js';

/** A later version that does something else first: no history of the version before fits it. */
export async function batchWorkflow(batch: Batch): Promise<string> {
  await sleep(1);
  return before(batch);
}
