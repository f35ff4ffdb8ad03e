import { mayAct } from '../../domain/roles.js';
import type { Need } from '../../operations/batch/needs.js';
import type { countBatches } from '../../operations/batches.js';
import { Empty } from '../parts/empty.js';
import type { Frame } from '../parts/frame.js';
import { A, LinkButton } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { Page } from '../parts/page.js';
import { SearchForm } from '../parts/search-form.js';
import { type BatchLine, BatchTable } from './batch-table.js';
import { type BatchesFilter, type BatchesTab, batchesTabs, filterPath } from './filters.js';
import { NeedsYou } from './needs-you.js';
import { NothingYet } from './nothing-yet.js';

interface BatchesPageProps {
  readonly frame: Frame;
  readonly lines: readonly BatchLine[];
  readonly hasMore: boolean;
  readonly filter: BatchesFilter;
  readonly counts: Awaited<ReturnType<typeof countBatches>>;
  readonly needs: readonly Need[];
}

export function BatchesPage(props: BatchesPageProps) {
  const { frame, counts, needs } = props;
  const all = countOf(counts, 'all');
  return (
    <Page frame={frame} title="Batches" here="/" live="*">
      <div class="top">
        <div class="row">
          <h1>Batches</h1>
          <AsOf />
          {frame.actor && mayAct(frame.actor, 'submit') && all > 0 && (
            <LinkButton to="/upload" icon="upload">
              Upload a sheet
            </LinkButton>
          )}
        </div>
      </div>
      <div data-part="needs">{needs.length > 0 && <NeedsYou needs={needs} />}</div>
      {all === 0 ? <NothingYet /> : <AllBatches {...props} />}
    </Page>
  );
}

function AllBatches({ lines, hasMore, filter, counts }: BatchesPageProps) {
  const last = lines.at(-1)?.batch;
  return (
    <section class="card flush" aria-labelledby="all" data-part="batches">
      <div class="row">
        <h2 id="all">All batches</h2>
        <nav class="tabs end" aria-label="Batches by state">
          {(Object.keys(batchesTabs) as BatchesTab[]).map((tab) => (
            <A to={filterPath(filter, { tab })} current={tab === filter.tab && 'true'}>
              <b>{batchesTabs[tab].text}</b> {countOf(counts, tab).toLocaleString('en-US')}
            </A>
          ))}
        </nav>
      </div>
      <Filters filter={filter} />
      {lines.length === 0 ? <NoMatch filter={filter} all={countOf(counts, 'all')} /> : <BatchTable lines={lines} />}
      {(hasMore || filter.before) && (
        <nav class="pager" aria-label="Pages">
          <span>The newest first</span>
          {filter.before && (
            <LinkButton size="small" to={filterPath(filter, {})}>
              Newest
            </LinkButton>
          )}
          {hasMore && last && (
            <LinkButton size="small" to={filterPath(filter, { before: last })}>
              Older
            </LinkButton>
          )}
        </nav>
      )}
    </section>
  );
}

function countOf({ byState, stopped }: BatchesPageProps['counts'], tab: BatchesTab): number {
  if (tab === 'stopped') return stopped;
  const states: readonly string[] | null = batchesTabs[tab].states;
  const counted = Object.entries(byState).filter(([state]) => states === null || states.includes(state));
  return counted.reduce((sum, [, count]) => sum + count, 0);
}

function Filters({ filter }: { readonly filter: BatchesFilter }) {
  return (
    <search>
      <SearchForm
        words="Batch or campaign begins with"
        value={filter.id}
        kept={filter.tab === 'all' ? null : { name: 'show', value: filter.tab }}
      />
    </search>
  );
}

function NoMatch({ filter, all }: { readonly filter: BatchesFilter; readonly all: number }) {
  const { tab, id } = filter;
  const which = tab === 'all' ? '' : ` under “${batchesTabs[tab].text}”`;
  const title = id === '' ? `No batch is${which || ' here'}` : `No batch${which} begins with “${id}”`;
  return (
    <Empty icon="search" title={title} action={<LinkButton to="/">Clear the filter</LinkButton>}>
      There {all === 1 ? 'is 1 batch' : `are ${all.toLocaleString('en-US')} batches`}.
    </Empty>
  );
}
