import { sleep } from '@temporalio/workflow';
import { sliceWorkflow as before, type Slice } from '../../../workflows/slice-workflow.js';

export { batchWorkflow } from '../../../workflows/batch-workflow.js';
export { reconcileWorkflow } from '../../../workflows/reconcile-workflow.js';

/** A later version that does something else first: no history of the version before fits it. */
export async function sliceWorkflow(slice: Slice): Promise<void> {
  await sleep(1);
  return before(slice);
}
