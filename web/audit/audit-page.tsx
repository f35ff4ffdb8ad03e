import { mayAct } from '../../domain/roles.js';
import type { AuditPage as AuditFacts } from '../../operations/access/audit-page.js';
import { type DetailPart, detailParts } from '../../reports/wording/audit-words.js';
import { shortDigest } from '../../reports/wording/plan-words.js';
import { Empty } from '../parts/empty.js';
import type { Frame } from '../parts/frame.js';
import { Icon, LinkButton } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { Page } from '../parts/page.js';
import { When } from '../parts/time.js';
import { AuditFilters } from './audit-filters.js';
import { type AuditQuery, auditPath } from './filters.js';
import type { LastVerified } from './routes.js';

interface AuditPageProps extends AuditFacts {
  readonly frame: Frame;
  readonly query: AuditQuery;
  /** Null where nobody has verified the books since the desk started. */
  readonly last: LastVerified | null;
}

/** Who did what and when, refused tries too, the newest first. */
export function AuditPage({ frame, query, last, chain, records, hasMore }: AuditPageProps) {
  return (
    <Page frame={frame} title="Audit" here="/audit">
      <div class="top">
        <div class="row">
          <h1>Audit</h1>
          <AsOf />
          <LinkButton to={auditPath('/audit.csv', query)} icon="down" download>
            CSV
          </LinkButton>
        </div>
        <Chain frame={frame} chain={chain} last={last} />
      </div>
      <section class="card flush" aria-labelledby="records">
        <h2 id="records" class="vh">
          Records
        </h2>
        <AuditFilters query={query} />
        {records.length === 0 ? (
          <Empty
            icon="search"
            title="No record is like that"
            action={<LinkButton to="/audit">Clear the filter</LinkButton>}
          >
            There are {chain.length.toLocaleString('en-US')} records. A batch, budget or person is found by its whole
            name.
          </Empty>
        ) : (
          <Records records={records} />
        )}
        <Pager {...{ query, records, hasMore }} />
      </section>
    </Page>
  );
}

function Chain({ frame, chain: { length, head }, last }: Pick<AuditPageProps, 'frame' | 'chain' | 'last'>) {
  const mayVerify = frame.actor !== null && mayAct(frame.actor, 'verify');
  return (
    <p class={last === null ? 'say' : last.isSound ? 'say good' : 'say bad'}>
      <Icon name="audit" />
      <span>
        <b>{chainWords(last)}</b>{' '}
        {last && (
          <>
            Verified <When atMs={last.atMs} />.{' '}
          </>
        )}
        {length.toLocaleString('en-US')} records, each with the hash of the one before it
        {head !== '' && `; head ${shortDigest(head)}`}.
      </span>
      {mayVerify && (
        <LinkButton to="/audit/verify" size="small">
          Verify now
        </LinkButton>
      )}
    </p>
  );
}

function chainWords(last: LastVerified | null): string {
  if (last === null) return 'Not verified since the desk started.';
  return last.isSound
    ? `The books were whole up to record ${last.length.toLocaleString('en-US')}.`
    : 'The books do not add up.';
}

function Records({ records }: Pick<AuditPageProps, 'records'>) {
  return (
    <table class="t">
      <caption class="vh">Audit records, the newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="n">
            No.
          </th>
          <th scope="col" class="lo">
            At
          </th>
          <th scope="col">Who</th>
          <th scope="col">Did</th>
          <th scope="col" class="lo">
            What it was
          </th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Line record={record} />
        ))}
      </tbody>
    </table>
  );
}

const doors = { terminal: 'terminal', web: 'web', policy: 'by the policy', system: 'itself' } as const;

function Line({ record }: { readonly record: AuditPageProps['records'][number] }) {
  const { seq, atMs, actor, act, object, detail, currency } = record;
  const [, done, isRefused] = /^(.*?)(_refused)?$/.exec(act) ?? [];
  const words = <Details parts={detailParts(detail, currency)} />;
  return (
    <tr>
      <td class="n soft">
        {seq.toLocaleString('en-US')}
        <span class="m sub">
          <When atMs={atMs} />
        </span>
      </td>
      <td class="lo soft nw">
        <When atMs={atMs} />
      </td>
      <th scope="row" class="name">
        {actor.name}
        <span class="sub">{doors[actor.channel]}</span>
      </th>
      <td>
        <span class={isRefused && 'bad'}>
          {done?.replaceAll('_', ' ')}
          {isRefused && ', refused'}
        </span>
        <span class="sub any">{object}</span>
        <span class="m sub any">{words}</span>
      </td>
      <td class="lo soft any">{words}</td>
    </tr>
  );
}

/** What is said in short has all of it where a pointer rests. */
function Details({ parts }: { readonly parts: readonly DetailPart[] }) {
  return (
    <>
      {parts.map(({ words, atMs, exact }, index) => (
        <>
          {index > 0 && ', '}
          {exact === undefined ? words : <span title={exact}>{words}</span>}
          {atMs !== undefined && (
            <>
              {' '}
              <When atMs={atMs} />
            </>
          )}
        </>
      ))}
    </>
  );
}

function Pager({ query, records, hasMore }: Pick<AuditPageProps, 'query' | 'records' | 'hasMore'>) {
  const last = records.at(-1);
  if (!last || (!hasMore && query.before === null)) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <span>The newest first</span>
      {query.before !== null && (
        <LinkButton size="small" to={auditPath('/audit', query)}>
          Newest
        </LinkButton>
      )}
      {hasMore && (
        <LinkButton size="small" to={auditPath('/audit', query, last.seq)}>
          Older
        </LinkButton>
      )}
    </nav>
  );
}
