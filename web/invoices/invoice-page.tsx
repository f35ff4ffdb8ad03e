import type { InvoicePreview } from '../../operations/money/invoice-uploads.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import { Button, Icon, LinkButton, PostForm } from '../parts/link.js';
import { Page } from '../parts/page.js';
import { When } from '../parts/time.js';
import { Differences, NotInLedger, NotOnInvoice } from './movies.js';
import { SumsCard } from './sums-card.js';

interface InvoicePageProps {
  readonly frame: Frame;
  readonly preview: InvoicePreview;
  /** How many corrections were booked a moment ago. */
  readonly booked: string | undefined;
  /** The differences were other ones when they were accepted; nothing was written. */
  readonly isOther: boolean;
}

/** What an invoice says and what the books say, and what booking it would change. */
export function InvoicePage({ frame, preview, booked, isOther }: InvoicePageProps) {
  const { upload, file, match } = preview;
  const lines = file.lines.length === 1 ? '1 line' : `${file.lines.length.toLocaleString('en-US')} lines`;
  return (
    <Page frame={frame} title={`Invoice ${upload.name}`} here="/budgets">
      <div class="top">
        <Crumbs
          parts={[
            { text: 'Budgets', path: '/budgets' },
            { text: 'Invoices', path: '/invoices' },
            { text: upload.name },
          ]}
        />
        <h1 class="any">{upload.name}</h1>
        <p class="lede">
          {lines} of {frame.service.name}
          {frame.service.rehearsal && ' (rehearsal, no charges)'}. <b>{summary(preview)}</b>
        </p>
      </div>
      <Said {...{ preview, booked, isOther }} />
      <div class="split first">
        <div class="stack">
          <SumsCard match={match} />
          <Differences movies={match.different} />
          <NotInLedger movies={match.missingHere} />
          <NotOnInvoice movies={match.missingThere} />
        </div>
        <BookCard preview={preview} />
      </div>
    </Page>
  );
}

/** What became of the last try, and what is to be known of the file. */
function Said({ preview: { file, match }, booked, isOther }: Omit<InvoicePageProps, 'frame'>) {
  return (
    <>
      {isOther && (
        <p class="say warn" role="alert">
          <Icon name="review" />
          <span>
            <b>Nothing was booked.</b> The ledger changed since the differences were shown; this is how it is now.
          </span>
        </p>
      )}
      {booked !== undefined && (
        <p class="say good" role="status">
          <Icon name="delivered" />
          <span>
            {/^\d{1,7}$/.test(booked) && booked !== '0'
              ? `Booked: ${booked} corrections.`
              : 'The invoice is kept; nothing had to be corrected.'}
          </span>
        </p>
      )}
      {match.readBefore.map(({ number, readAtMs }) => (
        <p class="say">
          <Icon name="info" />
          <span class="any">
            {number} was read <When atMs={readAtMs} />: it counts once
          </span>
        </p>
      ))}
      {file.findings.map(({ message, row }) => (
        <p class="say warn">
          <Icon name="review" />
          <span class="any">
            {row !== null && `Row ${row}: `}
            {message}
          </span>
        </p>
      ))}
    </>
  );
}

function summary({ match: { different, missingHere, missingThere } }: InvoicePreview): string {
  const apart = missingHere.length + missingThere.length;
  if (different.length === 0) return apart === 0 ? 'Every movie is as the books say.' : 'Nothing to correct.';
  return different.length === 1 ? '1 movie is charged otherwise.' : `${different.length} movies are charged otherwise.`;
}

/** The button says what it does; without anything to do there is none. */
function BookCard({ preview: { upload, file, match, shown } }: Pick<InvoicePageProps, 'preview'>) {
  const { different, readBefore } = match;
  const numbers = new Set(file.lines.map(({ invoice }) => upload.number ?? invoice ?? upload.name));
  const isRead = readBefore.length >= numbers.size;
  const corrections = different.length === 1 ? '1 correction' : `${different.length} corrections`;
  if (different.length === 0 && isRead) {
    return (
      <section class="stick card" aria-label="Booking">
        <h2>Nothing to book</h2>
        <p class="soft">The books already have this invoice, with the same content.</p>
        <LinkButton to="/invoices">All invoices</LinkButton>
      </section>
    );
  }
  return (
    <PostForm to={`/invoices/${upload.id}/book`} class="stick card">
      <h2>{different.length === 0 ? 'Keep it' : 'Book it'}</h2>
      <input type="hidden" name="shown" value={shown} />
      <p class="soft small">
        {different.length === 0
          ? 'The invoice is kept with its lines. No amount changes.'
          : 'Up to the post a difference is spent money, beyond it overrun. It is written to the audit; an entry is never taken back.'}
      </p>
      <Button kind="go" size="big">
        {different.length === 0 ? 'Keep the invoice' : `Book ${corrections}`}
      </Button>
    </PostForm>
  );
}
