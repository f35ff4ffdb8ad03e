import type { DeskHealth } from '../../operations/health/desk-health.js';
import { alarmHelp } from '../../reports/wording/alarm-help.js';
import { reasonWords, type WaitReason } from '../../reports/wording/wait-reason.js';
import { useFrame } from '../parts/frame.js';
import { A, Icon } from '../parts/link.js';

/** Something that somebody has to see to. */
interface Thing {
  readonly title: string;
  /** Null where it is about the installation as a whole. */
  readonly trouble: { readonly batchId: string; readonly reason: WaitReason } | null;
}

/** Parts that fail first, then what keeps batches. */
export function thingsToDo({ parts, troubles }: DeskHealth): readonly Thing[] {
  const failing = parts.filter(({ ok }) => !ok).map(({ words }) => ({ title: words, trouble: null }));
  return [...failing, ...troubles.map((trouble) => ({ title: titleOf(trouble), trouble }))];
}

function titleOf({ batchId, reason }: NonNullable<Thing['trouble']>): string {
  return `${batchId}: ${reason.what}`;
}

const shown = 30;

export function ToDoCard({ things }: { readonly things: readonly Thing[] }) {
  return (
    <section class="card" aria-labelledby="to-do">
      <h2 id="to-do">To do</h2>
      <ul class="checks">
        {things.slice(0, shown).map((thing) => (
          <Line thing={thing} />
        ))}
      </ul>
      {things.length > shown && <p class="soft small">and {things.length - shown} more</p>}
      <p class="soft small">
        Each alarm and what to do about it: docs/operating.md, “What an alarm means, and what to do”.
      </p>
    </section>
  );
}

function Line({ thing: { title, trouble } }: { readonly thing: Thing }) {
  const { nowMs } = useFrame();
  if (trouble === null) {
    return (
      <li>
        <Icon name="failed" tone="bad" />
        <span class="any">{title}</span>
      </li>
    );
  }
  const { batchId, reason } = trouble;
  const help = alarmHelp(reason);
  return (
    <li>
      <Icon name="review" tone="warn" />
      <span class="any">
        <A to={`/batches/${batchId}`}>{batchId}</A>: {reasonWords(reason, nowMs)}
      </span>
      {help && (
        <span class="sub any">
          It means: {help.means}. Do: {help.todo}.
        </span>
      )}
    </li>
  );
}
