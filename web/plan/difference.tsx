import type { Brief } from '../../domain/brief.js';
import { formatAmount } from '../../domain/money.js';
import type { PlanDifference, PlanRows } from '../../operations/batch/plan-rows.js';
import { changedMiddle } from '../../reports/wording/changed-middle.js';
import { A, LinkButton } from '../parts/link.js';

interface DifferenceProps {
  readonly batchId: string;
  readonly currency: string;
  readonly difference: PlanRows['difference'];
}

/** What is another than in the plan before: what to read before the total. Contents and prices apart. */
export function Difference({ batchId, currency, difference }: DifferenceProps) {
  if (difference === null) return null;
  if (difference === 'later') {
    return (
      <section class="card" aria-labelledby="difference">
        <h2 id="difference">Since the plan before</h2>
        <p class="row">
          <LinkButton to={`/batches/${batchId}/plan?difference=yes#difference`}>Compare all rows</LinkButton>
          <span class="soft small">This plan is large; it takes a moment.</span>
        </p>
      </section>
    );
  }
  const { before, first } = difference;
  const decided = { approved: 'approved', refused: 'refused' } as const;
  const which = before.decision === null ? 'last plan' : `last plan, which was ${decided[before.decision]}`;
  return (
    <section class="card long" aria-labelledby="difference">
      <h2 id="difference">
        Since the {which}: <A to={`/batches/${before.batchId}/plan`}>{before.batchId}</A>
      </h2>
      <Figures difference={difference} currency={currency} />
      {first.changed.map(({ rowKey, ...row }) => (
        <Changed rowKey={rowKey} {...row} />
      ))}
      <More shown={first.changed.length} all={difference.changed} what="with other content" />
      <Listed
        title="Only the price changed"
        all={difference.repriced}
        shown={first.repriced.map(({ rowKey, beforeMinor, afterMinor }) => {
          const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
          return `${rowKey} ${amount(beforeMinor)} → ${amount(afterMinor)}`;
        })}
      />
      <Listed title="New" all={difference.added} shown={first.added.map((row) => keyWords(row, currency))} />
      <Listed
        title="No more in the sheet"
        all={difference.removed}
        shown={first.removed.map((row) => keyWords(row, currency))}
      />
    </section>
  );
}

function Figures({ difference, currency }: { readonly difference: PlanDifference; readonly currency: string }) {
  const { added, changed, repriced, repricedMinor, removed } = difference;
  const count = (rows: number) => rows.toLocaleString('en-US');
  const sign = repricedMinor < 0 ? '− ' : '+ ';
  const more = `${sign}${formatAmount({ amountMinor: Math.abs(repricedMinor), currency })} ${currency} in all`;
  const figures = [
    ['New rows', added > 0 ? `+ ${count(added)}` : '0', ''],
    ['Content changed', changed > 0 ? `~ ${count(changed)}` : '0', ''],
    ['Only the price changed', count(repriced), repriced > 0 ? more : ''],
    ['Removed', removed > 0 ? `− ${count(removed)}` : '0', removed > 0 ? 'nothing is canceled by it' : ''],
  ];
  return (
    <dl class="figs">
      {figures.map(([name, figure, note]) => (
        <div>
          <dt>{name}</dt>
          <dd>
            {figure} {note !== '' && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function keyWords(
  { rowKey, amountMinor }: { readonly rowKey: string; readonly amountMinor: number | null },
  currency: string,
): string {
  return amountMinor === null ? rowKey : `${rowKey} ${formatAmount({ amountMinor, currency })}`;
}

function Listed({ title, all, shown }: { title: string; all: number; shown: readonly string[] }) {
  if (all === 0) return null;
  const more = all - shown.length;
  return (
    <p class="small any">
      <b>{title}</b>: <span class="soft">{shown.join(', ')}</span>
      {more > 0 && ` and ${more.toLocaleString('en-US')} more`}
    </p>
  );
}

function More({ shown, all, what }: { readonly shown: number; readonly all: number; readonly what: string }) {
  return all > shown ? (
    <p class="soft small">
      and {(all - shown).toLocaleString('en-US')} more {what}
    </p>
  ) : null;
}

/** Field by field, what was taken out and what was put in its place. */
function Changed({ rowKey, before, after }: { rowKey: string; before: Brief; after: Brief }) {
  const fields = fieldsOf(before, after);
  return (
    <div class="diff small">
      {fields.map(([name, one, other]) => {
        const { head, removed, added, tail } = changedMiddle(one, other);
        return (
          <p class="any">
            <b>{rowKey}</b> <span class="soft">{name}</span> {head} {removed !== '' && <del>{removed}</del>}{' '}
            {added !== '' && <ins>{added}</ins>} {tail}
          </p>
        );
      })}
    </div>
  );
}

function fieldsOf(before: Brief, after: Brief): readonly (readonly [string, string, string])[] {
  const fields = [
    ['prompt', before.prompt, after.prompt],
    ['duration', `${before.durationSeconds} s`, `${after.durationSeconds} s`],
    ['ratio', before.aspectRatio ?? 'none', after.aspectRatio ?? 'none'],
    ['style', before.style ?? '', after.style ?? ''],
    ['references', referencesOf(before), referencesOf(after)],
  ] as const;
  return fields.filter(([, one, other]) => one !== other);
}

/** By what tells them apart in words: their bytes are in the digest. */
function referencesOf({ references }: Brief): string {
  return references
    .map(({ source, role, description }) => {
      const what =
        source.kind === 'id'
          ? source.referenceId
          : `${source.kind === 'url' ? source.url : (source.path.split('/').at(-1) ?? '')} ${(source.sha256 ?? '').slice(0, 8)}`;
      return [role, what.trim(), description ?? ''].filter((part) => part !== '').join(' ');
    })
    .join('; ');
}
