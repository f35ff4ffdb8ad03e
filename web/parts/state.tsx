import type { BatchState } from '../../domain/batch-state.js';
import type { RowState } from '../../domain/row-state.js';
import type { StopKind } from '../../domain/stop.js';
import { capital } from '../../reports/wording/capital.js';
import { batchStateWords, rowStateWords } from '../../reports/wording/state-words.js';
import type { IconName } from './icon-names.js';
import { Icon } from './link.js';

/** `calm`: nothing to do; `busy`: under way; `warn`: somebody decides; `odd`: nobody knows. */
export type Tone = 'good' | 'busy' | 'calm' | 'warn' | 'bad' | 'odd';

interface Look {
  readonly icon: IconName;
  readonly tone: Tone;
}

const batchLooks: Readonly<Record<BatchState, Look>> = {
  preparing: { icon: 'preparing', tone: 'busy' },
  waiting: { icon: 'approval', tone: 'warn' },
  making: { icon: 'making', tone: 'busy' },
  closed: { icon: 'closed', tone: 'good' },
  canceled: { icon: 'canceled', tone: 'calm' },
  unsettled: { icon: 'unknown', tone: 'odd' },
  refused: { icon: 'refused', tone: 'calm' },
  expired: { icon: 'clock', tone: 'calm' },
};

const stopLooks: Readonly<Record<StopKind, Look>> = {
  paused: { icon: 'paused', tone: 'warn' },
  tripped: { icon: 'tripped', tone: 'bad' },
  canary: { icon: 'review', tone: 'warn' },
  budget: { icon: 'paused', tone: 'warn' },
  credentials: { icon: 'key', tone: 'bad' },
  restored: { icon: 'tripped', tone: 'bad' },
};

const rowLooks: Readonly<Record<RowState, Look>> = {
  planned: { icon: 'waiting', tone: 'calm' },
  blocked: { icon: 'waiting', tone: 'calm' },
  ordering: { icon: 'ordering', tone: 'busy' },
  unknown: { icon: 'unknown', tone: 'odd' },
  running: { icon: 'making', tone: 'busy' },
  overdue: { icon: 'clock', tone: 'odd' },
  archiving: { icon: 'saving', tone: 'busy' },
  delivered: { icon: 'delivered', tone: 'good' },
  rejected: { icon: 'failed', tone: 'bad' },
  failed: { icon: 'failed', tone: 'bad' },
  canceled: { icon: 'canceled', tone: 'calm' },
  lost: { icon: 'failed', tone: 'bad' },
  unchanged: { icon: 'unchanged', tone: 'calm' },
  open_elsewhere: { icon: 'unchanged', tone: 'calm' },
  left_out: { icon: 'unchanged', tone: 'calm' },
};

interface StateProps {
  /** In a coloured field, beside a headline. */
  readonly pill?: boolean;
}

/** A state is a word, a shape and a colour. The words are those of the command line. */
function State({ icon, tone, word, pill = false }: Look & StateProps & { readonly word: string }) {
  return (
    <span class={pill ? `st pill ${tone}` : `st ${tone}`}>
      <Icon name={icon} />
      {capital(word)}
    </span>
  );
}

type Stopped = { readonly state: BatchState; readonly stops: readonly { readonly kind: StopKind }[] };

/** What stops a batch in the making is its state for whoever looks. */
export function BatchStateMark({ batch: { state, stops }, pill = false }: StateProps & { readonly batch: Stopped }) {
  const [stop] = state === 'making' ? stops : [];
  if (stop) return <State {...stopLooks[stop.kind]} word={stop.kind} pill={pill} />;
  return <State {...batchLooks[state]} word={batchStateWords[state]} pill={pill} />;
}

/** A delivered movie that is not what was ordered says so; what it differs in is said beside it. */
export function RowStateMark({
  state,
  verdict,
  pill = false,
}: StateProps & { readonly state: RowState; readonly verdict: string | null }) {
  const isDoubted = state === 'delivered' && verdict !== null && verdict !== 'as ordered';
  if (isDoubted) return <State icon="review" tone="warn" word="needs review" pill={pill} />;
  return <State {...rowLooks[state]} word={rowStateWords[state]} pill={pill} />;
}
