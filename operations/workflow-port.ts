/**
 * How operations notify workflows. The ledger has already decided when these are called: false means "recorded, workers
 * not notified yet", and costs a delay, never a decision.
 */
export interface WorkflowPort {
  /** Starts the batch's workflow, or finds it running. */
  startBatch(batchId: string): Promise<boolean>;
  /**
   * Starts the batch's workflow, or makes the running one take up reopened rows: it has counted them as settled, and
   * they may hold the places that its other rows wait for.
   */
  takeUpRows(batchId: string): Promise<boolean>;
  /** Makes the running workflow of the batch ask the ledger how many movies may be in progress. */
  resizeBatch(batchId: string): Promise<boolean>;
  /** Makes the batch poll the ledger now. */
  nudgeBatch(batchId: string): Promise<boolean>;
  /** Makes the follower of one slice poll the ledger now. */
  nudgeSlice(batchId: string, slice: number): Promise<boolean>;
}
