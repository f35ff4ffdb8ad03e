import type { MovieRequest } from '../api/contract.js';
import type { Session } from './session.js';

/** The sections of the interface's specification that can be judged from outside. */
export type Section =
  | 'Resources and their fields'
  | 'States and transitions'
  | 'Endpoints'
  | 'Authentication'
  | 'Events'
  | 'Errors'
  | 'Limits'
  | 'Versioning';

/** One promise of the interface, and how to find out whether a service keeps it. */
export interface Clause {
  /** Stable, for reports and for naming one: `create.accepted`. */
  readonly id: string;
  readonly section: Section;
  /** What the specification says, in one sentence. */
  readonly says: string;
  /** The movies that the service should make for this check, for which it may bill. Default: none. */
  readonly orders?: readonly MovieRequest[];
  /** Creates that this check sends and that the service should refuse. Default: none. */
  readonly refusals?: number;
  /**
   * Returns when the service keeps the promise.
   *
   * @throws Violation when it does not; NotTestable when that cannot be tested here.
   */
  check(session: Session): Promise<void>;
}

/** What went over the wire, as a report shows it: without the key, without signatures, cut to a readable length. */
export interface Exchange {
  readonly sent: string;
  readonly received: string;
}

export class Violation extends Error {
  override readonly name = 'Violation';
  readonly exchange: Exchange | null;

  /** @param message what is wrong, continuing "The service…". */
  constructor(message: string, exchange: Exchange | null = null) {
    super(message);
    this.exchange = exchange;
  }
}

export class NotTestable extends Error {
  override readonly name = 'NotTestable';
}

/** @throws Violation unless `kept`. */
export function require(kept: boolean, message: string, exchange: Exchange | null = null): asserts kept {
  if (!kept) throw new Violation(message, exchange);
}
