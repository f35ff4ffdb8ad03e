import type { Child } from 'hono/jsx';
import type { ApprovalCheck, CheckedPlan } from '../../operations/batch/approval-checks.js';
import type { Deciders } from '../../operations/people.js';
import type { StoredPlan } from '../../operations/stored-plan.js';
import { namesOf } from '../../reports/wording/decision-words.js';
import { summarisePlan } from '../../reports/wording/plan-summary.js';
import { rowsText } from '../../reports/wording/state-words.js';
import { useFrame } from '../parts/frame.js';
import { Icon } from '../parts/link.js';

interface ChecksProps {
  readonly plan: StoredPlan;
  readonly checks: CheckedPlan;
  readonly deciders: Deciders;
}

/** What an approval asks, and what it would find for this person; failures first, then what is to be read. */
export function Checks({ plan, checks, deciders }: ChecksProps) {
  const { actor } = useFrame();
  const lines = (Object.entries(checks) as [ApprovalCheck, string | null][]).map(([name, refusal]) => ({
    name,
    refusal,
  }));
  const failed = lines.filter(({ refusal }) => refusal !== null);
  const passed = lines.filter(({ refusal }) => refusal === null);
  const toRead = notesOf(plan);
  const count = [
    `${passed.length} passed`,
    ...(toRead.length > 0 ? [`${toRead.length} to read`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ];
  return (
    <section class="card" aria-labelledby="checks">
      <div class="row">
        <h2 id="checks">Checks</h2>
        <span class="end soft small">{count.join(', ')}</span>
      </div>
      <ul class="checks">
        {failed.map(({ name, refusal }) => (
          <li data-check={name}>
            <Icon name="failed" tone="bad" />
            <span>
              <b>{failedWords[name]}</b>: {refusal}
            </span>
            {name === 'four_eyes' && <span class="sub">{whoMay(deciders)}</span>}
          </li>
        ))}
        {toRead.map((note) => (
          <li>
            <Icon name="review" tone="warn" />
            <span>{note}</span>
          </li>
        ))}
        {passed.map(({ name }) => (
          <li data-check={name}>
            <Icon name="delivered" tone="good" />
            <span>{name === 'four_eyes' && actor?.alone ? selfApproval : passedWords(name, plan)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const selfApproval = 'You work alone: the approval is recorded as self-approved';

export function whoMay({ others }: Deciders): string {
  if (others.length === 0) return 'Nobody else has the role; an admin registers somebody: greenlight people add';
  return `${namesOf(others)} may`;
}

const failedWords: Readonly<Record<ApprovalCheck, string>> = {
  four_eyes: 'Not for you to approve',
  deadline: 'Too late',
  policy: 'Planned under other rules',
  classes: 'The plan is out of date',
  estimates: 'Prices are too old',
  budget: 'The budget does not take it',
};

function passedWords(name: ApprovalCheck, { batch, levels }: StoredPlan): Child {
  switch (name) {
    case 'four_eyes':
      return `Four eyes: ${batch.submittedBy} asked, you decide`;
    case 'deadline':
      return 'The time to decide has not passed';
    case 'policy':
      return 'The rules are those that it was planned under';
    case 'classes':
      return 'Since then nothing was ordered or delivered that changes what a row is';
    case 'estimates':
      return `All ${rowsText(batch.rowsToOrder)} to order have a price in ${batch.money.currency} that still holds`;
    case 'budget':
      return levels.length === 1
        ? `Budget ${levels[0]?.path} has room`
        : `All ${levels.length} budget levels have room`;
    default:
      return name satisfies never;
  }
}

/** What is allowed and unusual: whoever approves should have read it. */
function notesOf({ sums, batch }: StoredPlan): readonly string[] {
  const { classes } = summarisePlan(sums);
  const ordered = (name: string) => classes.find((one) => one.class === name && one.ordered)?.rows ?? 0;
  const [respend, failedBefore, duplicate] = [ordered('respend'), ordered('failed_before'), ordered('duplicate')];
  const { canary } = batch.settings;
  return [
    ...(respend > 0 ? [`${rowsText(respend)} paid for before, with other content now, to be paid again`] : []),
    ...(failedBefore > 0 ? [`${rowsText(failedBefore)} tried before without a movie, to be ordered again`] : []),
    ...(duplicate > 0 ? [`${rowsText(duplicate)} with the content of another row, to be ordered all the same`] : []),
    ...(canary === null ? [] : [`The first ${rowsText(canary)} are made alone; then it waits for an operator`]),
  ];
}
