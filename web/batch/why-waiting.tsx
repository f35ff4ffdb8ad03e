import { formatDuration } from '../../reports/wording/duration-text.js';
import type { WaitReason } from '../../reports/wording/wait-reason.js';
import { useFrame } from '../parts/frame.js';
import { whenWords } from '../parts/time.js';

/** Why rows wait, a line a reason: how many, since and until when, what ends it, who can act and by what. */
export function WhyWaiting({ reasons }: { readonly reasons: readonly WaitReason[] }) {
  return (
    <div data-part="why">
      {reasons.length > 0 && (
        <section class="card flush" aria-labelledby="why">
          <div class="row">
            <h2 id="why">Why rows wait</h2>
          </div>
          <ul class="why">
            {reasons.map((reason) => (
              <Reason reason={reason} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Reason({ reason }: { readonly reason: WaitReason }) {
  const { nowMs } = useFrame();
  const { rows, what, command } = reason;
  const way = wayOut(reason, nowMs);
  return (
    <li data-reason={reason.kind}>
      <b>{rows === null ? 'all' : rows.count.toLocaleString('en-US')}</b>
      <span>
        {capital(what)}
        {rows !== null && <span class="soft"> · {rows.state}</span>}
      </span>
      <span class="sub">
        {way !== '' && `${capital(way)}. `}
        {command !== null && <code>{command}</code>}
      </span>
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
