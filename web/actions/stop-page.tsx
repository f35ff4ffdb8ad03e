import { formatMoney } from '../../domain/money.js';
import type { BatchStatus } from '../../operations/batches.js';
import { rowsText } from '../../reports/wording/state-words.js';
import { stopWords } from '../../reports/wording/stop-words.js';
import type { Frame } from '../parts/frame.js';
import { ActionPage } from './action-page.js';

export const stopActs = ['pause', 'resume', 'continue'] as const;
export type StopAct = (typeof stopActs)[number];

interface StopPageProps {
  readonly frame: Frame;
  readonly act: StopAct;
  readonly status: BatchStatus;
}

/** To hold orders back, or to let them go on: how many rows and how much money that is about. */
export function StopPage({ frame, act, status }: StopPageProps) {
  const { batch } = status;
  const { batchId } = batch;
  return (
    <ActionPage
      {...{ frame, batchId, reason: act === 'pause' ? 'optional' : 'none' }}
      title={`${titles[act]} ${batchId}?`}
      lede={ledes[act](status)}
      to={`/batches/${batchId}/${act}`}
      button={titles[act]}
      kind={act === 'pause' ? 'stop' : 'go'}
      nothing={nothingToDo(act, batch)}
    />
  );
}

const titles = { pause: 'Pause', resume: 'Resume', continue: 'Continue' } as const;

const ledes = {
  pause: (status: BatchStatus) =>
    `${waiting(status)} would wait. Movies in progress continue and are saved; they are already paid for. Resume ends the pause.`,
  resume: (status: BatchStatus) =>
    `${waiting(status)} would be ordered again, as places and budgets allow. ${why(status)}`,
  continue: (status: BatchStatus) =>
    `${waiting(status)} would be ordered, with the whole tolerance of failures again. ${why(status)}`,
} as const;

/** As `12 rows for 36.00 USD that are not ordered yet`. */
function waiting({ batch, counts }: BatchStatus): string {
  const { approved, held, posted, returned, currency } = batch.money;
  const rows = (counts.planned ?? 0) + (counts.blocked ?? 0);
  const left = formatMoney({ amountMinor: approved - held - posted - returned, currency });
  return `${rowsText(rows)} for ${left} that ${rows === 1 ? 'is' : 'are'} not ordered yet`;
}

function why({ batch }: BatchStatus): string {
  return batch.stops.map((stop) => `Stopped: ${stopWords(stop)}.`).join(' ');
}

function nothingToDo(act: StopAct, { batchId, state, stops }: BatchStatus['batch']): string | undefined {
  if (state !== 'making') return `${batchId} is not in progress: there are no orders to hold back or resume.`;
  const has = (...kinds: readonly string[]) => stops.some(({ kind }) => kinds.includes(kind));
  if (act === 'pause') return has('paused') ? `${batchId} is paused already.` : undefined;
  if (act === 'resume') return has('paused', 'credentials') ? undefined : `${batchId} is not paused.`;
  return has('tripped', 'canary') ? undefined : `${batchId} waits for no canary, and has not failed too often.`;
}
