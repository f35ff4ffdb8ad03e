import { mayAct } from '../../domain/roles.js';
import type { ReadInvoice } from '../../operations/money/invoice-uploads.js';
import { Columns } from '../parts/columns.js';
import { Crumbs } from '../parts/crumbs.js';
import { FileForm, InputField } from '../parts/file-form.js';
import type { Frame } from '../parts/frame.js';
import { Button } from '../parts/link.js';
import { Page } from '../parts/page.js';
import { Problem } from '../parts/problem.js';
import { When } from '../parts/time.js';

interface InvoicesPageProps {
  readonly frame: Frame;
  readonly invoices: readonly ReadInvoice[];
  readonly problem?: { readonly message: string } | undefined;
}

/** Invoices that were read, and the way in for the next one. */
export function InvoicesPage({ frame, invoices, problem }: InvoicesPageProps) {
  return (
    <Page frame={frame} title="Invoices" here="/budgets">
      <div class="top">
        <Crumbs parts={[{ text: 'Budgets', path: '/budgets' }, { text: 'Invoices' }]} />
        <h1>Invoices</h1>
        <p class="lede">
          An invoice of {frame.service.name} is compared with the books, movie by movie. Differences are shown before
          anything is recorded, and an invoice that is read twice counts once.
        </p>
      </div>
      {problem && <Problem>{problem.message}. Nothing was kept.</Problem>}
      {frame.actor && mayAct(frame.actor, 'reconcile') && <InvoiceForm />}
      <section class="card flush" aria-labelledby="read">
        <div class="row">
          <h2 id="read">Read so far</h2>
        </div>
        {invoices.length === 0 ? <p class="pad soft">None yet.</p> : <ReadInvoices invoices={invoices} />}
      </section>
    </Page>
  );
}

function InvoiceForm() {
  return (
    <FileForm to="/invoices">
      <InputField
        {...{ name: 'number', label: 'Invoice number' }}
        hint="For all lines. Left out: the column invoice_number, else the name of the file"
        input={{ maxlength: 100 }}
      />
      <InputField
        {...{
          name: 'from',
          label: 'First day',
          hint: 'Of the movies that it should have; left out: from the first on',
        }}
        input={{ type: 'date' }}
      />
      <InputField {...{ name: 'until', label: 'Last day', hint: 'Left out: up to now' }} input={{ type: 'date' }} />
      <InputField
        {...{ name: 'manifest', label: 'Invoice' }}
        hint="CSV with movie_id or idempotency_key, amount, currency and description"
        input={{ type: 'file', accept: '.csv,.tsv,.txt', required: true }}
      />
      <Button kind="go" size="big" icon="upload">
        Compare it
      </Button>
    </FileForm>
  );
}

function ReadInvoices({ invoices }: Pick<InvoicesPageProps, 'invoices'>) {
  return (
    <table class="t">
      <caption class="vh">Invoices that were read, the newest first</caption>
      <Columns heads={['Number', ['Lines', 'n'], 'Read']} />
      <tbody>
        {invoices.map(({ number, lines, readAtMs, by }) => (
          <tr>
            <th scope="row" class="any">
              {number}
            </th>
            <td class="n">{lines.toLocaleString('en-US')}</td>
            <td>
              <When atMs={readAtMs} />
              <span class="sub">{by}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
