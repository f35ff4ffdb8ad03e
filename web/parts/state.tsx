import type { BatchState } from '../../domain/batch-state.js';
import type { RowState } from '../../domain/row-state.js';
import type { StopKind } from '../../domain/stop.js';
import type { IconName } from './icon-names.js';
import { Icon } from './link.js';

/** `calm`: nothing to do; `busy`: under way; `warn`: somebody decides; `odd`: nobody knows. */
export type Tone = 'good' | 'busy' | 'calm' | 'warn' | 'bad' | 'odd';

interface Look {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly word: string;
}

const batchLooks: Readonly<Record<BatchState, Look>> = {
  preparing: { icon: 'preparing', tone: 'busy', word: 'Preparing' },
  waiting: { icon: 'approval', tone: 'warn', word: 'Waiting' },
  making: { icon: 'making', tone: 'busy', word: 'Making' },
  closed: { icon: 'closed', tone: 'good', word: 'Closed' },
  canceled: { icon: 'canceled', tone: 'calm', word: 'Canceled' },
  unsettled: { icon: 'unknown', tone: 'odd', word: 'Unsettled' },
  refused: { icon: 'refused', tone: 'calm', word: 'Refused' },
  expired: { icon: 'clock', tone: 'calm', word: 'Expired' },
};

const stopLooks: Readonly<Record<StopKind, Look>> = {
  paused: { icon: 'paused', tone: 'warn', word: 'Paused' },
  tripped: { icon: 'tripped', tone: 'bad', word: 'Tripped' },
  canary: { icon: 'review', tone: 'warn', word: 'Canary' },
  budget: { icon: 'paused', tone: 'warn', word: 'Budget stopped' },
  credentials: { icon: 'key', tone: 'bad', word: 'Credentials' },
  restored: { icon: 'tripped', tone: 'bad', word: 'Ledger halted' },
};

const rowLooks: Readonly<Record<RowState, Look>> = {
  planned: { icon: 'waiting', tone: 'calm', word: 'Planned' },
  blocked: { icon: 'waiting', tone: 'calm', word: 'Waiting' },
  ordering: { icon: 'ordering', tone: 'busy', word: 'Ordering' },
  unknown: { icon: 'unknown', tone: 'odd', word: 'Unknown' },
  running: { icon: 'making', tone: 'busy', word: 'Making' },
  overdue: { icon: 'clock', tone: 'odd', word: 'Overdue' },
  archiving: { icon: 'saving', tone: 'busy', word: 'Saving' },
  delivered: { icon: 'delivered', tone: 'good', word: 'Delivered' },
  rejected: { icon: 'failed', tone: 'bad', word: 'Rejected' },
  failed: { icon: 'failed', tone: 'bad', word: 'Failed' },
  canceled: { icon: 'canceled', tone: 'calm', word: 'Canceled' },
  lost: { icon: 'failed', tone: 'bad', word: 'Lost' },
  unchanged: { icon: 'unchanged', tone: 'calm', word: 'Unchanged' },
  open_elsewhere: { icon: 'unchanged', tone: 'calm', word: 'In another batch' },
  left_out: { icon: 'unchanged', tone: 'calm', word: 'Left out' },
};

interface StateProps {
  /** In a coloured field, beside a headline. */
  readonly pill?: boolean;
}

/** A state is a word, a shape and a colour. */
function State({ icon, tone, word, pill = false }: Look & StateProps) {
  return (
    <span class={pill ? `st pill ${tone}` : `st ${tone}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

export function BatchStateMark({
  batch: { state, stops },
  pill = false,
}: StateProps & {
  readonly batch: { readonly state: BatchState; readonly stops: readonly { readonly kind: StopKind }[] };
}) {
  const [stop] = state === 'making' ? stops : [];
  return <State {...(stop ? stopLooks[stop.kind] : batchLooks[state])} pill={pill} />;
}

/** A delivered movie that is not what was ordered says so. */
export function RowStateMark({
  state,
  verdict,
  pill = false,
}: StateProps & { state: RowState; verdict: string | null }) {
  const isDoubted = state === 'delivered' && verdict !== null && verdict !== 'as ordered';
  return <State {...(isDoubted ? doubted : rowLooks[state])} pill={pill} />;
}

const doubted: Look = { icon: 'review', tone: 'warn', word: 'Needs review' };

export function rowStateWord(state: RowState): string {
  return rowLooks[state].word;
}
