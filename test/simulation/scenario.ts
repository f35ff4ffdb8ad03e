import type { IdempotencyMode } from '../../domain/answers/create-outcome.js';
import type { Brief } from '../../domain/brief.js';
import type { Policy } from '../../domain/policy.js';
import type { BatchSettings } from '../../ledger/batches/batch-record.js';
import type { FaultRule } from '../../studio/faults/script.js';
import { brief } from '../ledger/scene.js';
import { type Random, seeded } from './random.js';

/** What a seed is about, before anything happens. */
export interface Scenario {
  readonly rows: readonly string[];
  readonly settings: Partial<BatchSettings>;
  readonly policy: Partial<Policy>;
  readonly mode: IdempotencyMode;
  readonly rowsPerSlice: number;
  readonly ordersPerSecond: number | null;
  readonly limitMinor: number;
  /** How the service treats single movies. */
  readonly rules: readonly Partial<FaultRule>[];
  /** Whether the service tells of movies that have ended. */
  readonly events: boolean;
  /** Of a movie, in seconds. */
  readonly jobSeconds: number;
  /** Of a fault at a request or commit, and of a disturbance at a step. */
  readonly faultRate: number;
  readonly disturbanceRate: number;
  readonly patience: number;
  /** Whether all goes well until the first order: a batch that people end before it says little. */
  readonly startsWell: boolean;
  /** The step at which the ledger is copied, where it is lost at the end and comes back from that copy. */
  readonly copyAt: number | null;
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export function drawScenario(seed: number): Scenario {
  const random = seeded(seed, 'scenario');
  const rows = names.slice(0, random.between(3, 8));
  const mode = random.pick(['replay', 'replay', 'replay', 'conflict', 'none'] as const);
  return {
    rows,
    settings: {
      ...{ budgetPath: 'acme/spring', allowDuplicates: true, tolerance: random.pick([null, null, 0, 1]) },
      ...{ canary: random.pick([null, null, null, 1, 2]), maxInFlight: random.pick([null, null, 1, 2, 3]) },
      deadlineSeconds: random.pick([null, null, 1_800, 7_200]),
    },
    policy: {
      idempotency: { mode, windowHours: random.pick([1, 24, 24]) },
      billing: { failed: random.pick(['charged', 'refunded']), canceled: random.pick(['charged', 'refunded']) },
      maxInFlight: random.pick([null, null, 2]),
      ...{ cancelOverdue: random.chance(0.3), deadlineHours: 4, assetsWaitHours: 0.5 },
    },
    ...{ mode, rowsPerSlice: random.pick([2, 3, 100]), ordersPerSecond: random.pick([null, null, null, 1]) },
    limitMinor: random.pick([100_000, 100_000, 100_000, 500]),
    rules: rulesFor(rows, random),
    jobSeconds: random.pick([0, 30, 600, 3_000]),
    faultRate: random.pick([0.05, 0.15, 0.3]),
    disturbanceRate: random.pick([0, 0.03, 0.08, 0.15]),
    patience: random.between(100, 400),
    startsWell: random.chance(0.85),
    events: random.chance(0.6),
    copyAt: random.chance(0.2) ? random.between(20, 250) : null,
  };
}

function rulesFor(rows: readonly string[], random: Random): readonly Partial<FaultRule>[] {
  return rows.flatMap((row): readonly Partial<FaultRule>[] => {
    const prompt = `take ${row}\\b`;
    if (random.chance(0.08)) return [{ effect: 'fail', prompt }];
    if (random.chance(0.06)) return [{ effect: 'stuck', prompt }];
    if (random.chance(0.06)) return [{ effect: 'ignore_cancel', prompt }];
    if (random.chance(0.05)) return [{ effect: 'no_assets', prompt }];
    if (random.chance(0.05)) return [{ effect: 'late_assets', prompt, seconds: 600 }];
    if (random.chance(0.04)) return [{ effect: 'word', prompt, operation: 'getMovie', probability: 0.3 }];
    return [];
  });
}

/** Lengths differ, so that a movie under another row's name shows. */
export function briefOf(rowKey: string, version: number): Brief {
  const prompt = `A runner at dawn, take ${rowKey}${version === 0 ? '' : `, version ${version}`}`;
  return brief(rowKey, { prompt, durationSeconds: 5 + names.indexOf(rowKey) });
}
