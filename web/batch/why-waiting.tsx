import { formatDuration } from '../../reports/wording/duration-text.js';
import type { WaitReason } from '../../reports/wording/wait-reason.js';
import { useFrame } from '../parts/frame.js';
import { LinkButton } from '../parts/link.js';
import { whenWords } from '../parts/time.js';

interface WhyProps {
  readonly reasons: readonly WaitReason[];
  /** Whose rows they are; left out where each way out is on the page itself. */
  readonly batchId?: string | null;
}

/** Why rows wait, a line a reason: how many, since and until when, what ends it, who can act and by what. */
export function WhyWaiting({ reasons, batchId = null }: WhyProps) {
  return (
    <div data-part="why">
      {reasons.length > 0 && (
        <section class="card flush" aria-labelledby="why">
          <div class="row">
            <h2 id="why">Why rows wait</h2>
          </div>
          <ul class="why">
            {reasons.map((reason) => (
              <Reason reason={reason} way={batchId === null ? null : wayTo(reason, batchId)} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** The page of the desk where it is ended; null where there is none, or the batch's own acts end it. */
function wayTo({ kind }: WaitReason, batchId: string): Way | null {
  const at = `/batches/${batchId}`;
  switch (kind) {
    case 'approval':
      return { text: 'Review plan', path: `${at}/plan` };
    case 'unknown':
    case 'overdue':
      return { text: 'Resolve…', path: `${at}?state=${kind}` };
    case 'budget':
    case 'budget_short':
      return { text: 'Open budgets', path: '/budgets' };
    default:
      return null;
  }
}

interface Way {
  readonly text: string;
  readonly path: string;
}

function Reason({ reason, way }: { readonly reason: WaitReason; readonly way: Way | null }) {
  const { nowMs } = useFrame();
  const { rows, what, command } = reason;
  const words = wayOut(reason, nowMs);
  return (
    <li data-reason={reason.kind}>
      <b>{rows === null ? 'all' : rows.count.toLocaleString('en-US')}</b>
      <span>
        {capital(what)}
        {rows !== null && <span class="soft"> · {rows.state}</span>}
      </span>
      <span class="sub">
        {words !== '' && `${capital(words)}. `}
        {command !== null && <code>{command}</code>}
      </span>
      {way && (
        <LinkButton to={way.path} size="small">
          {way.text}
        </LinkButton>
      )}
    </li>
  );
}

/** Since when, until when or by what, and who can act. */
function wayOut({ sinceMs, untilMs, endsBy, who }: WaitReason, nowMs: number): string {
  const left = untilMs !== null && untilMs - nowMs > 60_000 ? ` (${formatDuration(untilMs - nowMs)} left)` : '';
  return [
    ...(sinceMs === null || sinceMs === 0 ? [] : [`since ${whenWords(sinceMs, nowMs)}`]),
    ...(untilMs === null ? [] : [`until ${whenWords(untilMs, nowMs)}${left}`]),
    ...(endsBy === null ? [] : [endsBy]),
    ...(who === null ? [] : [`${who} may act`]),
  ].join(', ');
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The first reason, in the width of a table's column. */
export function FirstReason({ reasons }: { readonly reasons: readonly WaitReason[] }) {
  const { nowMs } = useFrame();
  const [first] = reasons;
  if (!first) return <span class="soft">nothing</span>;
  const { what, who, untilMs } = first;
  const left = untilMs === null ? '' : `, ${formatDuration(untilMs - nowMs)} left`;
  return (
    <>
      {what}
      {left}
      {who !== null && <span class="sub">{who} may act</span>}
    </>
  );
}
