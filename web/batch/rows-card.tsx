import type { RowCounts } from '../../domain/batch-state.js';
import { formatAmount } from '../../domain/money.js';
import type { BatchStatus, listRows } from '../../operations/batches.js';
import { rowNote, rowProgress } from '../../reports/wording/row-words.js';
import { BulkLinks } from '../actions/bulk-links.js';
import { Empty } from '../parts/empty.js';
import { useFrame } from '../parts/frame.js';
import { A, LinkButton } from '../parts/link.js';
import { SearchForm } from '../parts/search-form.js';
import { RowStateMark } from '../parts/state.js';
import { When, whenWords } from '../parts/time.js';
import { countOf, type RowsFilter, rowsPath, rowsTabs } from './rows-filter.js';

export type Row = Awaited<ReturnType<typeof listRows>>[number];

export interface RowsCardProps {
  readonly batch: BatchStatus['batch'];
  readonly counts: RowCounts;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly filter: RowsFilter;
}

export function RowsCard({ batch, counts, rows, hasMore, filter }: RowsCardProps) {
  const { batchId } = batch;
  const last = rows.at(-1);
  const tabs = rowsTabs.filter((tab) => tab === 'all' || tab === filter.tab || countOf(tab, counts) > 0);
  return (
    <section class="card flush" id="rows" aria-labelledby="rows-title">
      <div class="row">
        <h2 id="rows-title">Rows</h2>
        <nav class="tabs end" aria-label="Rows by state" data-part="tabs">
          {tabs.map((tab) => (
            <A to={rowsPath(batchId, filter, { tab })} current={tab === filter.tab && 'true'}>
              <b>{tabWord(tab)}</b> {countOf(tab, counts).toLocaleString('en-US')}
            </A>
          ))}
        </nav>
      </div>
      <SearchForm
        words="Row id begins with"
        value={filter.id}
        kept={filter.tab === 'all' ? null : { name: 'state', value: filter.tab }}
      />
      {rows.length > 0 && <BulkLinks batch={batch} filter={filter} />}
      {rows.length === 0 ? (
        <NoRows batchId={batchId} filter={filter} />
      ) : (
        <RowTable batch={batch} rows={rows} isWhole={filter.tab === 'all'} />
      )}
      {last && (hasMore || filter.after !== null) && (
        <nav class="pager" aria-label="Pages">
          <span>
            Rows {rows[0]?.row} to {last.row}, in the order of the sheet
          </span>
          {filter.after !== null && (
            <LinkButton size="small" to={rowsPath(batchId, filter, {})}>
              First
            </LinkButton>
          )}
          {hasMore && (
            <LinkButton size="small" to={rowsPath(batchId, filter, { after: last.position })}>
              Next
            </LinkButton>
          )}
        </nav>
      )}
    </section>
  );
}

function tabWord(tab: string): string {
  const word = tab.replace('-', ' ');
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function NoRows({ batchId, filter }: { readonly batchId: string; readonly filter: RowsFilter }) {
  const title = filter.id === '' ? 'No rows here' : `No row here begins with “${filter.id}”`;
  const clear = rowsPath(batchId, filter, { tab: 'all', id: '' });
  return (
    <Empty icon="search" title={title} action={<LinkButton to={clear}>Clear the filter</LinkButton>}>
      The filter is in the address of this page.
    </Empty>
  );
}

/** Of a state alone, rows would leave under the pointer; all of them stay where they are, and are kept up to date. */
function RowTable({ batch, rows, isWhole }: Pick<RowsCardProps, 'batch' | 'rows'> & { readonly isWhole: boolean }) {
  return (
    <table class="t tight sticky" {...(isWhole && { 'data-part': 'rows' })}>
      <caption class="vh">Rows of {batch.batchId} in the order of the sheet</caption>
      <thead>
        <tr>
          <th scope="col" class="n lo">
            Row
          </th>
          <th scope="col">Id</th>
          <th scope="col">State</th>
          <th scope="col" class="lo">
            Asked
          </th>
          <th scope="col" class="lo">
            Note
          </th>
          <th scope="col" class="n">
            {batch.money.currency}
          </th>
          <th scope="col" class="n lo">
            At
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <RowLine row={row} batch={batch} />
        ))}
      </tbody>
    </table>
  );
}

function RowLine({ row, batch }: { readonly row: Row; readonly batch: BatchStatus['batch'] }) {
  const { brief, rowKey, endedAtMs, orderedAtMs } = row;
  const { nowMs } = useFrame();
  const isInProgress = row.state === 'running' || row.state === 'overdue';
  const note = rowNote(row, (atMs) => whenWords(atMs, nowMs)) || (isInProgress ? rowProgress(row) : '');
  const atMs = endedAtMs ?? orderedAtMs;
  return (
    <tr class="mid">
      <td class="n soft lo">{row.row}</td>
      <th scope="row">
        <A to={`/batches/${batch.batchId}/rows/${encodeURIComponent(rowKey)}`}>{rowKey}</A>
        <span class="sub m">{note}</span>
      </th>
      <td>
        <RowStateMark state={row.state} verdict={row.verdict} />
      </td>
      <td class="lo soft nw">
        {brief.aspectRatio} · {brief.durationSeconds} s
      </td>
      <td class="lo note">{note}</td>
      <td class="n">
        <RowMoney row={row} currency={batch.money.currency} />
      </td>
      <td class="n lo soft">{atMs !== null && <When atMs={atMs} />}</td>
    </tr>
  );
}

/** Posted as it is; held and not drawn yet say so. */
function RowMoney({ row: { amountMinor, money }, currency }: { readonly row: Row; readonly currency: string }) {
  if (amountMinor === null) return <span class="soft">–</span>;
  const amount = formatAmount({ amountMinor, currency });
  if (money === 'posted') return <>{amount}</>;
  if (money === null) return <span class="soft">{amount}</span>;
  return (
    <>
      <span class="tag">{money}</span> {amount}
    </>
  );
}
