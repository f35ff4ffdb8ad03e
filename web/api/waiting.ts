import type { z } from 'zod';
import type { Actor } from '../../domain/roles.js';
import type { BatchStatus } from '../../operations/batches.js';
import { whyWaiting } from '../../operations/why-waiting.js';
import { timeJson } from '../../reports/time-json.js';
import { reasonWords } from '../../reports/wording/wait-reason.js';
import type { ApiDeps } from './api-deps.js';
import type { Waiting } from './schemas/batch.js';

type WaitingJson = z.output<typeof Waiting>;

/** Everything that keeps a batch from going on, each with who can act, in the words of every other screen. */
export async function waitingOf(deps: ApiDeps, status: BatchStatus, actor: Actor): Promise<readonly WaitingJson[]> {
  const reasons = await whyWaiting(deps, status, actor);
  return reasons.map((reason) => ({
    reason: reason.kind,
    rows: reason.rows?.count ?? null,
    detail: reasonWords(reason, deps.clock()),
    ...{ since: timeJson(reason.sinceMs), until: timeJson(reason.untilMs), ends_by: reason.who },
    command: reason.command,
  }));
}
