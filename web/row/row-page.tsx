import { formatMoney } from '../../domain/money.js';
import type { RowHistory } from '../../operations/row-history.js';
import { capital } from '../../reports/wording/capital.js';
import { classWords } from '../../reports/wording/class-words.js';
import { rowNote, rowProgress } from '../../reports/wording/row-words.js';
import { WhyWaiting } from '../batch/why-waiting.js';
import type { KeptAnswer } from '../errors/kept-answer.js';
import { Crumbs } from '../parts/crumbs.js';
import { type Frame, useFrame } from '../parts/frame.js';
import { LinkButton } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { NotNotified } from '../parts/notices.js';
import { Page } from '../parts/page.js';
import { Problem } from '../parts/problem.js';
import { RowStateMark } from '../parts/state.js';
import { whenWords } from '../parts/time.js';
import { AskedAndGot } from './asked-and-got.js';
import { type Proposal, ResolveForm } from './resolve-form.js';
import { Trail } from './trail.js';

export interface RowPageProps {
  readonly frame: Frame;
  readonly history: RowHistory;
  /** What one person said about an unknown order. */
  readonly proposal: Proposal | null;
  readonly kept: KeptAnswer | undefined;
  readonly isNotified: boolean;
}

export function RowPage({ frame, history, proposal, kept, isNotified }: RowPageProps) {
  const { row, status, reasons } = history;
  const { batchId } = status.batch;
  const canResolve = row.state === 'unknown' || row.state === 'overdue';
  return (
    <Page frame={frame} title={`${row.rowKey} of ${batchId}`} here="/" live={batchId}>
      <div class="top">
        <Crumbs
          parts={[{ text: 'Batches', path: '/' }, { text: batchId, path: `/batches/${batchId}` }, { text: row.rowKey }]}
        />
        <div class="row">
          <h1>{row.rowKey}</h1>
          <span data-part="state">
            <RowStateMark state={row.state} verdict={row.verdict} pill />
          </span>
          <AsOf />
        </div>
        <p class="lede" data-part="lede">
          <Lede history={history} />
        </p>
        <RowActions history={history} />
      </div>
      {!isNotified && <NotNotified />}
      {kept && <Problem>{kept.message}</Problem>}
      <WhyWaiting reasons={reasons} />
      <div class="split first">
        <div class="stack" data-part="row">
          <AskedAndGot history={history} />
          <Trail history={history} />
        </div>
        <div class="stick stack">
          {canResolve && <ResolveForm {...{ history, proposal }} typed={kept?.typed ?? {}} />}
          <Facts history={history} />
        </div>
      </div>
    </Page>
  );
}

function Lede({ history: { row, status } }: { readonly history: RowHistory }) {
  const { currency } = status.batch.money;
  const held = formatMoney({ amountMinor: row.amountMinor ?? 0, currency });
  if (row.state === 'unknown') {
    return (
      <>
        <b>Nobody knows whether this movie was created.</b> {held} stay held, and it is not sent again, until it is
        resolved.
      </>
    );
  }
  const { nowMs } = useFrame();
  const isInProgress = row.state === 'running' || row.state === 'overdue';
  const words = [rowNote(row, (atMs) => whenWords(atMs, nowMs)), isInProgress ? rowProgress(row) : ''];
  const said = words.filter((word) => word !== '').join(', ');
  return (
    <>
      {said !== '' && <b>{capital(said)}.</b>} Row {row.row} of {status.batch.manifestName}
      {row.amountMinor !== null && row.ordered && `, ${held}`}.
    </>
  );
}

/** What an operator may do to this row alone. */
function RowActions({ history: { row, status } }: { readonly history: RowHistory }) {
  const { batchId, state } = status.batch;
  const query = `?row=${encodeURIComponent(row.rowKey)}`;
  const isOpen = ['planned', 'blocked', 'ordering', 'running', 'overdue', 'unknown'].includes(row.state);
  const isAgain = ['failed', 'canceled', 'lost'].includes(row.state);
  const at = (act: string) => `/batches/${batchId}/${act}${query}`;
  return (
    <div class="row no-print" data-part="acts">
      {isOpen && (state === 'making' || state === 'unsettled') && !row.cancelRequested && (
        <LinkButton to={at('cancel')} kind="stop" icon="canceled">
          Cancel…
        </LinkButton>
      )}
      {isAgain && row.attempt !== null && (
        <LinkButton to={at('retry')} icon="retry">
          Retry…
        </LinkButton>
      )}
      {row.state === 'lost' && (
        <LinkButton to={at('refetch')} icon="down">
          Refetch…
        </LinkButton>
      )}
    </div>
  );
}

/** Its cell of origin, its class and its keys. */
function Facts({ history: { row, status } }: { readonly history: RowHistory }) {
  const { columns, money, manifestName } = status.batch;
  const cells = row.cells.map((cell, index) => [columns[index] ?? '', cell] as const).filter(([, cell]) => cell !== '');
  const price =
    row.amountMinor === null ? 'no price' : formatMoney({ amountMinor: row.amountMinor, currency: money.currency });
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl class="facts small">
        <dt>Plan</dt>
        <dd>
          {classWords[row.class]}
          {row.classDetail && `, ${row.classDetail.rowKey ?? row.rowKey} in ${row.classDetail.batchId}`}
          {!row.ordered && ', not ordered here'}
        </dd>
        <dt>Price</dt>
        <dd>{price}</dd>
        {row.movieId && (
          <>
            <dt>Movie</dt>
            <dd class="mono">{row.movieId}</dd>
          </>
        )}
        {row.idempotencyKey && (
          <>
            <dt>Key</dt>
            <dd class="mono">{row.idempotencyKey.slice(0, 16)}…</dd>
          </>
        )}
        <dt>Content</dt>
        <dd class="mono">{row.contentDigest.slice(0, 16)}…</dd>
      </dl>
      <details>
        <summary>
          {manifestName}, row {row.row}
        </summary>
        <dl class="facts small">
          {cells.map(([name, cell]) => (
            <>
              <dt>{name}</dt>
              <dd>{cell}</dd>
            </>
          ))}
        </dl>
      </details>
    </section>
  );
}
