import { formatAmount, formatMoney } from '../../domain/money.js';
import { rowStates } from '../../domain/row-state.js';
import type { Certified } from '../../operations/batch/certificate.js';
import { invoicedWords, serviceWords, submittedWords } from '../../reports/wording/batch-words.js';
import { billingWords } from '../../reports/wording/billing-words.js';
import { capital } from '../../reports/wording/capital.js';
import { decisionFact } from '../../reports/wording/decision-words.js';
import { rowStateWords } from '../../reports/wording/state-words.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { BatchNav } from '../batch/batch-nav.js';
import { segmentsOf } from '../batches/batch-table.js';
import { Bar } from '../parts/bar.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import { LinkButton } from '../parts/link.js';
import { MoneyTable } from '../parts/money-table.js';
import { Page } from '../parts/page.js';
import { BatchStateMark } from '../parts/state.js';

interface CertificateProps {
  readonly frame: Frame;
  readonly certified: Certified;
}

/** What a batch comes down to, on paper too: rows in and out, money, who and when, and what it can be held against. */
export function CertificatePage({ frame, certified }: CertificateProps) {
  const { batch, facts } = certified;
  const { batchId } = batch;
  return (
    <Page
      frame={frame}
      title={`Certificate of ${batchId}`}
      here="/"
      printStyle={`/batches/${encodeURIComponent(batchId)}/certificate.css`}
    >
      <div class="top no-print">
        <Crumbs
          parts={[{ text: 'Batches', path: '/' }, { text: batchId, path: `/batches/${batchId}` }, { text: 'Results' }]}
        />
        <div class="row">
          <h1>Results</h1>
          <BatchStateMark batch={batch} pill />
          <span class="end row">
            <LinkButton to={`/batches/${batchId}/results.csv`} icon="down" download>
              results.csv
            </LinkButton>
            <button class="b" type="button" data-print hidden>
              Print
            </button>
          </span>
        </div>
        <BatchNav batch={batch} here="results" />
      </div>
      <article class="card paper" aria-labelledby="certificate">
        <p class="soft">
          {facts.provisional ? 'Provisional certificate: figures may still change' : 'Certificate of a closed batch'}
        </p>
        <div>
          <h2 class="title" id="certificate">
            {batchId}
          </h2>
          <p class="lede">{summary(certified)}</p>
        </div>
        <Figures {...certified} />
        <Rows {...certified} />
        <Who {...certified} />
        <HeldAgainst {...certified} />
        <p class="soft small">
          {billingWords(facts.billing)}. The service’s invoice decides; what differs is booked as a correction.
        </p>
      </article>
    </Page>
  );
}

function summary({ batch, facts }: Certified): string {
  const { currency, approved, posted } = facts.money;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency });
  const rehearsal = facts.rehearsal ? ' It was a rehearsal: no real money was spent.' : '';
  return `${facts.counts.delivered ?? 0} of ${batch.rowsToOrder} ordered movies were delivered and their files hashed. ${money(approved)} were approved, ${money(posted)} posted.${rehearsal}`;
}

function Figures({ facts: { money, counts } }: Certified) {
  const { currency } = money;
  const figures = [
    ['Approved', money.approved],
    ['Posted', money.posted],
    ['Held', money.held],
    ['Released', money.returned],
    ['Refunded', money.refunded],
    ['Overrun', money.overrun],
    ['Unknown', money.unknown],
  ] as const;
  return (
    <>
      <dl class="figs">
        {figures.map(([name, amountMinor]) => (
          <div>
            <dt>{name}</dt>
            <dd>{formatAmount({ amountMinor, currency })}</dd>
          </div>
        ))}
      </dl>
      <Bar label="Rows of the batch by their end" segments={segmentsOf(counts)} size="fat" />
    </>
  );
}

function Rows({ facts: { counts, rowsIn, rowsOut } }: Certified) {
  return (
    <section aria-labelledby="rows" class="stack">
      <h2 id="rows">Rows in, rows out</h2>
      <MoneyTable
        caption="Rows by end"
        head="End"
        columns={['Rows']}
        rows={rowStates
          .filter((state) => (counts[state] ?? 0) > 0)
          .map((state) => ({ name: capital(rowStateWords[state]), cells: [counts[state]] }))}
        total={{ name: rowsIn === rowsOut ? 'In the sheet' : `In the sheet: ${rowsIn}; counted`, cells: [rowsOut] }}
        tight
      />
    </section>
  );
}

function Who({ batch, facts }: Certified) {
  const invoiced = invoicedWords(facts.invoiced);
  return (
    <section aria-labelledby="who" class="stack">
      <h2 id="who">Who and when</h2>
      <dl class="facts">
        <dt>Submitted</dt>
        <dd>{submittedWords(batch)}</dd>
        {batch.decision && (
          <>
            <dt>Decision</dt>
            <dd>{decisionFact(batch.decision)}</dd>
          </>
        )}
        {batch.settledAtMs !== null && (
          <>
            <dt>Closed</dt>
            <dd>{formatTime(batch.settledAtMs)}</dd>
          </>
        )}
        <dt>Budget</dt>
        <dd>{batch.settings.budgetPath}</dd>
        <dt>Service</dt>
        <dd>{serviceWords(batch)}</dd>
        {invoiced !== null && (
          <>
            <dt>Invoiced</dt>
            <dd>{invoiced}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function HeldAgainst({ batch, facts }: Certified) {
  return (
    <section aria-labelledby="against" class="stack">
      <h2 id="against">What it can be compared with</h2>
      <dl class="facts">
        <dt>Plan</dt>
        <dd class="digest">{facts.planDigest ?? 'none was sealed'}</dd>
        <dt>Audit</dt>
        <dd>
          {facts.audit.length} records, head <span class="digest">{facts.audit.head}</span>
        </dd>
        <dt>Entries</dt>
        <dd>
          {facts.entries.count}, head <span class="digest">{facts.entries.head}</span>
        </dd>
        <dt>Ledger</dt>
        <dd class="digest">{facts.ledgerId}</dd>
        <dt>Files</dt>
        <dd>
          <code>greenlight verify {batch.batchId}</code>
        </dd>
      </dl>
    </section>
  );
}
