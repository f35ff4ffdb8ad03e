import type { Role } from './roles.js';

/** What keeps a batch in the making from admitting rows. Each is ended by a person, none turns into a failure. */
export type StopKind = 'paused' | 'tripped' | 'canary' | 'budget' | 'credentials' | 'restored';

export interface Stop {
  readonly kind: StopKind;
  readonly sinceMs: number;
  readonly detail: string;
  readonly endsBy: Role;
  /** What that person types. */
  readonly command: string;
}

/** Why a row is not admitted now: a stop of its batch, or no place within a limit. */
export type BlockReason = StopKind | 'in_flight';

/** Who ends a stop, and by which command. */
export function wayOut(
  kind: StopKind,
  { batchId, budgetPath }: { readonly batchId: string; readonly budgetPath: string },
): Pick<Stop, 'endsBy' | 'command'> {
  switch (kind) {
    case 'paused':
    case 'credentials':
      return { endsBy: 'operator', command: `greenlight resume ${batchId}` };
    case 'tripped':
    case 'canary':
      return { endsBy: 'operator', command: `greenlight continue ${batchId}` };
    case 'budget':
      return { endsBy: 'finance', command: `greenlight budget start ${budgetPath}` };
    case 'restored':
      return { endsBy: 'finance', command: 'greenlight reconcile restored' };
    default:
      return kind satisfies never;
  }
}
