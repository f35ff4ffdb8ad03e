export { batchWorkflow } from './batch-workflow.js';
export { reconcileWorkflow } from './reconcile-workflow.js';
export { sliceWorkflow } from './slice-workflow.js';
