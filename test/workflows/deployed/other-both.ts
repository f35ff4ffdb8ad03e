export { reconcileWorkflow } from '../../../workflows/reconcile-workflow.js';
export { batchWorkflow } from './other-batch.js';
export { sliceWorkflow } from './other-slice.js';
