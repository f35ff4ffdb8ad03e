export { batchWorkflow } from './batch-workflow.js';
export { sliceWorkflow } from './slice-workflow.js';
