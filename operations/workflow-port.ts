/**
 * How operations tell Temporal. The ledger has already decided when either is called: false means "recorded, workers
 * not told yet", and costs a delay, never a decision.
 */
export interface WorkflowPort {
  /** Starts the batch's workflow, or finds it running. */
  startBatch(batchId: string): Promise<boolean>;
  /**
   * Starts the batch's workflow, or has the running one take up rows that came back to life: it has counted them as
   * settled, and they may hold the places that its other rows wait for.
   */
  takeUpRows(batchId: string): Promise<boolean>;
  /** Has the running workflow of the batch ask the ledger how many movies may be in progress. */
  resizeBatch(batchId: string): Promise<boolean>;
  /** Makes the batch look at the ledger now. */
  nudgeBatch(batchId: string): Promise<boolean>;
  /** Makes the follower of one slice look at the ledger now. */
  nudgeSlice(batchId: string, slice: number): Promise<boolean>;
}
