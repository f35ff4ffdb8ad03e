import { formatAmount, formatMoney } from '../../domain/money.js';
import type { RowHistory } from '../../operations/row-history.js';
import { answerWords } from '../../reports/wording/answer-words.js';
import { actSentence } from '../../reports/wording/audit-words.js';
import { capital } from '../../reports/wording/capital.js';
import type { IconName } from '../parts/icon-names.js';
import { Icon } from '../parts/link.js';
import type { Tone } from '../parts/state.js';
import { When } from '../parts/time.js';

interface Step {
  readonly atMs: number;
  readonly icon: IconName;
  readonly tone: Tone;
  readonly text: string;
  readonly sub?: string;
}

/** Everything that happened to the row, the oldest first: sends and answers, looks, money, files, people. */
export function Trail({ history }: { readonly history: RowHistory }) {
  const isHold = (step: Step) => step.text.startsWith('Hold');
  const moves = money(history);
  // Of one moment: a hold is there before its order leaves, and everything else follows what came back.
  const before = [...acts(history), ...moves.filter(isHold)];
  const steps = [...before, ...sends(history), ...looks(history), ...moves.filter((step) => !isHold(step))];
  const inOrder = steps.toSorted((one, other) => one.atMs - other.atMs);
  return (
    <section class="card" aria-labelledby="trail">
      <h2 id="trail">What happened</h2>
      {inOrder.length === 0 && <p class="soft">Nothing yet: it was not sent.</p>}
      <ol class="trail">
        {inOrder.map(({ atMs, icon, tone, text, sub }) => (
          <li>
            <When atMs={atMs} />
            <Icon name={icon} tone={tone} />
            <div>
              {text}
              {sub && <span class="sub">{sub}</span>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function sends({ attempts, status }: RowHistory): readonly Step[] {
  return attempts.flatMap(({ attempt, batchId, idempotencyKey, amountMinor, sends: all }) =>
    all.map((send): Step => {
      const { answer } = send;
      const price = formatMoney({ amountMinor, currency: status.batch.money.currency });
      const where = batchId === status.batch.batchId ? '' : ` in ${batchId}`;
      const request = send.requestId === null ? '' : `, request ${send.requestId}`;
      return {
        atMs: send.atMs,
        icon: answer?.kind === 'movie' ? 'delivered' : answer === null ? 'ordering' : 'upload',
        tone: answer?.kind === 'movie' ? 'good' : answer?.kind === 'refused' ? 'bad' : 'calm',
        text: `Attempt ${attempt}${where} sent: ${answer === null ? 'no answer known yet' : answerWords(answer)}`,
        sub: `${price}, key ${idempotencyKey.slice(0, 12)}…${request}`,
      };
    }),
  );
}

/** Looks at the service, folded into one line; and when it was finished and ended. */
function looks({ row }: RowHistory): readonly Step[] {
  const { polls, serviceStatus, finishedAtMs, endedAtMs, orderedAtMs, files, reason } = row;
  const steps: Step[] = [];
  if (polls > 0) {
    const words = polls === 1 ? 'Looked at once' : `Looked at ${polls.toLocaleString('en-US')} times`;
    const last = serviceStatus === null ? '' : `: ${serviceStatus} at the last look`;
    steps.push({ atMs: finishedAtMs ?? orderedAtMs ?? 0, icon: 'search', tone: 'calm', text: `${words}${last}` });
  }
  if (finishedAtMs !== null) steps.push({ atMs: finishedAtMs, icon: 'ok', tone: 'calm', text: 'Ended at the service' });
  if (endedAtMs !== null && files.length > 0) {
    const many = files.length === 1 ? '1 file' : `${files.length} files`;
    steps.push({ atMs: endedAtMs, icon: 'saving', tone: 'good', text: `${many} saved, hashed and checked` });
  } else if (endedAtMs !== null) {
    steps.push({
      atMs: endedAtMs,
      icon: 'closed',
      tone: 'calm',
      text: `Ended as ${row.state}${reason ? `: ${reason}` : ''}`,
    });
  }
  return steps;
}

function money({ entries }: RowHistory): readonly Step[] {
  return entries.map(({ atMs, kind, amountMinor, currency, note }) => ({
    ...{ atMs, icon: 'budgets', tone: 'calm' },
    text: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${formatAmount({ amountMinor, currency })} ${currency}`,
    ...(note !== null && { sub: note }),
  }));
}

/** Of the batch, too, as far as they are about its rows. */
function acts({ audit }: RowHistory): readonly Step[] {
  const about = audit.filter(({ act }) => !act.includes('share'));
  return about.map((record) => ({ atMs: record.atMs, icon: 'person', tone: 'calm', text: done(record) }));
}

/** As `Approved by fay`. */
function done(record: RowHistory['audit'][number]): string {
  const sentence = capital(actSentence(record));
  return sentence.replace(/^(\w+)(?= by )/, (act) => pastOf[act] ?? act);
}

const pastOf: Readonly<Record<string, string>> = {
  ...{ Submit: 'Submitted', Seal: 'Sealed', Approve: 'Approved', Reject: 'Rejected', Cancel: 'Canceled' },
  ...{ Pause: 'Paused', Resume: 'Resumed', Continue: 'Continued', Retry: 'Retried', Refetch: 'Asked for again' },
};
