import type { Service } from '../domain/service.js';
import type { Ledger } from '../ledger/ledger.js';
import type { WorkflowPort } from './workflow-port.js';

/** What every operation needs. */
export interface OperationDeps {
  readonly ledger: Ledger;
  /** The movie service of this installation: the lineages it can plan and order for. */
  readonly service: Service;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly workflows: WorkflowPort;
}

/** The outcome of a recorded act: the workers were notified, or will find it when they poll. */
export interface Notified {
  /** False: recorded, but workers are not notified yet. */
  readonly told: boolean;
}
