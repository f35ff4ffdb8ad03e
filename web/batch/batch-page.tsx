import type { Billing } from '../../domain/policy.js';
import type { BatchStatus } from '../../operations/batches.js';
import { stateSentence } from '../../reports/wording/batch-words.js';
import { billingWords } from '../../reports/wording/billing-words.js';
import { countsOf } from '../../reports/wording/state-words.js';
import { timeLeft, timeLeftWords } from '../../reports/wording/time-left.js';
import type { WaitReason } from '../../reports/wording/wait-reason.js';
import { ActionBar } from '../actions/action-bar.js';
import { Crumbs } from '../parts/crumbs.js';
import { type Frame, useFrame } from '../parts/frame.js';
import { AsOf } from '../parts/live.js';
import { NotNotified } from '../parts/notices.js';
import { Page } from '../parts/page.js';
import { BatchStateMark } from '../parts/state.js';
import { BatchNav } from './batch-nav.js';
import { BatchStages } from './batch-stages.js';
import { MoneyCard } from './money-card.js';
import { MoviesCard } from './movies-card.js';
import { RowsCard, type RowsCardProps } from './rows-card.js';
import { WhyWaiting } from './why-waiting.js';

export interface BatchPageProps {
  readonly frame: Frame;
  readonly status: BatchStatus;
  /** Why rows of it wait. */
  readonly reasons: readonly WaitReason[];
  readonly billing: { readonly failed: Billing; readonly canceled: Billing };
  /** False after an act of which no worker could be told. */
  readonly isNotified: boolean;
  readonly rows: Pick<RowsCardProps, 'rows' | 'hasMore' | 'filter'>;
}

export function BatchPage({ frame, status, reasons, billing, rows, isNotified }: BatchPageProps) {
  const { batch } = status;
  return (
    <Page frame={frame} title={batch.batchId} here="/" live={batch.batchId}>
      <div class="top">
        <Crumbs parts={[{ text: 'Batches', path: '/' }, { text: batch.batchId }]} />
        <div class="row">
          <h1>{batch.batchId}</h1>
          <span data-part="state">
            <BatchStateMark batch={batch} pill />
          </span>
          <AsOf />
        </div>
        <Lede status={status} />
        <ActionBar status={status} />
        <BatchNav batch={batch} here="overview" />
      </div>
      {!isNotified && <NotNotified />}
      <BatchStages status={status} />
      <div class="two">
        <MoviesCard status={status} />
        <MoneyCard status={status} assumed={billingWords(billing)} />
      </div>
      <WhyWaiting reasons={reasons} batchId={batch.batchId} />
      <RowsCard batch={batch} counts={status.counts} {...rows} />
    </Page>
  );
}

/** Where it stands, in the words of the command line, and how long it may take by the pace so far. */
function Lede({ status: { batch, counts } }: { readonly status: BatchStatus }) {
  const { nowMs } = useFrame();
  const sentence = stateSentence({ batch, counts });
  const [head = '', ...rest] = sentence.split(': ');
  const isRunning = batch.state === 'making' && batch.stops.length === 0 && batch.decision !== null;
  const left = isRunning ? timeLeft(countsOf(counts), nowMs - (batch.decision?.atMs ?? nowMs)) : null;
  return (
    <p class="lede" data-part="lede">
      <b>{head.charAt(0).toUpperCase() + head.slice(1)}</b>
      {rest.length > 0 && `: ${rest.join(': ')}`}.
      {left && (
        <>
          {' '}
          <b class="nw">{timeLeftWords(left)}</b> left, by the pace of {left.measured} movies so far.
        </>
      )}
    </p>
  );
}
