import type { PropsWithChildren } from 'hono/jsx';
import { Icon } from '../parts/link.js';
import { type AuditQuery, auditKinds } from './filters.js';

/** What is looked for: on what, by whom, of which kind, and when. */
export function AuditFilters({ query }: { readonly query: AuditQuery }) {
  return (
    <search>
      <form class="filters pad top-pad" method="get">
        <span class="grow">
          <Icon name="search" />
          <Text name="of" words="Batch, budget or person" value={query.of} />
        </span>
        <Text name="by" words="Done by" value={query.by} />
        <Choice name="act" words="Act">
          <option value="">All acts</option>
          {auditKinds.map((kind) => (
            <option value={kind} selected={kind === query.kind}>
              {kind.replaceAll('_', ' ')}
            </option>
          ))}
        </Choice>
        <Choice name="refused" words="Outcome">
          <option value="">Done and refused</option>
          <option value="yes" selected={query.refused}>
            Refused
          </option>
        </Choice>
        <Day name="from" words="From" value={query.from} />
        <Day name="until" words="Until" value={query.until} />
        <button class="b" type="submit">
          Filter
        </button>
      </form>
    </search>
  );
}

function Day({ name, words, value }: { readonly name: string; readonly words: string; readonly value: string }) {
  return (
    <label class="day">
      {words} <input class="in" name={name} type="date" value={value} />
    </label>
  );
}

function Text({ name, words, value }: { readonly name: string; readonly words: string; readonly value: string }) {
  return <input class="in" name={name} type="search" size={7} value={value} placeholder={words} aria-label={words} />;
}

function Choice({ name, words, children }: PropsWithChildren<{ name: string; words: string }>) {
  return (
    <select class="in" name={name} aria-label={words}>
      {children}
    </select>
  );
}
