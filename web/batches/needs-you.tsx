import type { Child } from 'hono/jsx';
import { roomMinor } from '../../domain/budget-room.js';
import { formatMoney } from '../../domain/money.js';
import type { Need } from '../../operations/batch/needs.js';
import { rowsText } from '../../reports/wording/state-words.js';
import { stopWords } from '../../reports/wording/stop-words.js';
import type { IconName } from '../parts/icon-names.js';
import { Icon, LinkButton } from '../parts/link.js';
import type { Tone } from '../parts/state.js';
import { When } from '../parts/time.js';

export function NeedsYou({ needs }: { readonly needs: readonly Need[] }) {
  const many = needs.length === 1 ? '1 thing waits' : `${needs.length} things wait`;
  return (
    <section class="card flush" aria-labelledby="needs">
      <div class="row">
        <h2 id="needs">Needs you</h2>
        <span class="soft small">{many} for you</span>
      </div>
      <ul class="asks">
        {needs.map((need) => (
          <Ask {...askOf(need)} />
        ))}
      </ul>
    </section>
  );
}

interface AskProps {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly title: string;
  readonly sub: Child;
  readonly act?: { readonly text: string; readonly path: string; readonly kind?: 'go' };
}

function Ask({ icon, tone, title, sub, act }: AskProps) {
  return (
    <li>
      <Icon name={icon} tone={tone} />
      <b>{title}</b>
      <span class="sub">{sub}</span>
      {act && (
        <LinkButton to={act.path} kind={act.kind}>
          {act.text}
        </LinkButton>
      )}
    </li>
  );
}

function askOf(need: Need): AskProps {
  switch (need.kind) {
    case 'halted':
      return { icon: 'tripped', tone: 'bad', title: 'This ledger orders nothing', sub: need.why };
    case 'approve':
      return approvalAsk(need.batch);
    case 'stopped':
      return {
        ...{ icon: need.stop.kind === 'canary' ? 'review' : 'tripped', tone: 'warn' },
        title: `${need.batch.batchId} orders nothing more`,
        sub: stopWords(need.stop),
        act: { text: 'Look at it', path: `/batches/${need.batch.batchId}` },
      };
    case 'unknown':
      return unknownAsk(need);
    case 'lost':
    case 'overdue':
      return troubleAsk(need);
    case 'budget':
      return budgetAsk(need.level);
    default:
      return need satisfies never;
  }
}

function approvalAsk(batch: Extract<Need, { kind: 'approve' }>['batch']): AskProps {
  const { batchId, totalMinor, rowsToOrder, submittedBy, settings, expiresAtMs, money } = batch;
  const price = formatMoney({ amountMinor: totalMinor ?? 0, currency: money.currency });
  return {
    ...{ icon: 'approval', tone: 'warn', title: `Approve ${price} for ${batchId}` },
    sub: (
      <>
        {rowsToOrder === 1 ? '1 movie' : `${rowsToOrder.toLocaleString('en-US')} movies`}, submitted by {submittedBy}{' '}
        <When atMs={batch.submittedAtMs} />, paid from {settings.budgetPath}
        {expiresAtMs !== null && (
          <>
            . Open until <When atMs={expiresAtMs} />
          </>
        )}
      </>
    ),
    act: { text: 'Review plan', path: `/batches/${batchId}/plan`, kind: 'go' },
  };
}

function unknownAsk({ batchId, rows }: Extract<Need, { kind: 'unknown' }>): AskProps {
  const [first] = rows;
  const currency = first?.currency ?? '';
  const held = formatMoney({ amountMinor: rows.reduce((sum, { row }) => sum + (row.amountMinor ?? 0), 0), currency });
  const proposed = rows.find(({ proposal }) => proposal !== null);
  const key = (proposed ?? first)?.row.rowKey ?? '';
  const more = rows.length > 1 ? ` and ${rows.length - 1} more` : '';
  return {
    ...{ icon: 'unknown', tone: 'odd' },
    title: proposed ? `Confirm an unknown order of ${batchId}` : `Resolve unknown orders of ${batchId}`,
    sub: proposed?.proposal
      ? `${key}: ${proposed.proposal.by} said what became of it; ${held} stay held until a second person agrees`
      : `${key}${more}: nobody knows whether a movie was created; ${held} stay held`,
    act: { text: 'Look at it', path: `/batches/${batchId}/rows/${encodeURIComponent(key)}` },
  };
}

function troubleAsk({ kind, batch, rows }: Extract<Need, { kind: 'lost' | 'overdue' }>): AskProps {
  const what =
    kind === 'lost' ? 'paid, and the service no longer has the files' : 'past the deadline, still asked about';
  return {
    ...{ icon: kind === 'lost' ? 'failed' : 'clock', tone: kind === 'lost' ? 'bad' : 'odd' },
    title: `${rowsText(rows)} of ${batch.batchId} ${rows === 1 ? 'is' : 'are'} ${kind}`,
    sub: what,
    act: { text: 'Look at it', path: `/batches/${batch.batchId}?state=${kind}` },
  };
}

function budgetAsk(level: Extract<Need, { kind: 'budget' }>['level']): AskProps {
  const { path, currency, limitMinor, stoppedMs, notifyPercent } = level;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency });
  const left = `${money(roomMinor(level))} of ${money(limitMinor)} are left`;
  if (stoppedMs !== null) return { icon: 'budgets', tone: 'warn', title: `Budget ${path} is stopped`, sub: left };
  return { icon: 'budgets', tone: 'warn', title: `${path} passed ${notifyPercent} % of its limit`, sub: left };
}
