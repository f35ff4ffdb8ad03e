import type { Service } from '../domain/service.js';
import type { Ledger } from '../ledger/ledger.js';
import type { WorkflowPort } from './workflow-port.js';

/** What every operation stands on. */
export interface OperationDeps {
  readonly ledger: Ledger;
  /** The movie service of this installation: the lineages it can plan and order for. */
  readonly service: Service;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly workflows: WorkflowPort;
}

/** What became of an act that is recorded: the workers know of it, or will find it when they look. */
export interface Notified {
  /** False: recorded, workers not told yet. */
  readonly told: boolean;
}
