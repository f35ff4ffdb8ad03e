import { formatAmount, formatMoney } from '../../domain/money.js';
import type { previewCancel } from '../../operations/cancels.js';
import { rowsText } from '../../reports/wording/state-words.js';
import type { KeptAnswer } from '../errors/kept-answer.js';
import type { Frame } from '../parts/frame.js';
import { ActionPage } from './action-page.js';
import type { Selection } from './selection.js';

type Preview = Awaited<ReturnType<typeof previewCancel>>;
type Effect = Exclude<keyof Preview, 'currency' | 'charged'>;

interface CancelPageProps {
  readonly frame: Frame;
  readonly selection: Selection;
  readonly preview: Preview;
  readonly kept: KeptAnswer | undefined;
}

/** What a cancel would end, what it cannot stop any more, and what of the money comes back. */
export function CancelPage({ frame, selection, preview, kept }: CancelPageProps) {
  const { batchId, rowKeys, words } = selection;
  const shown = effects.filter(([effect]) => preview[effect].rows > 0);
  const canEnd = shown.some(([effect]) => !isKept(effect));
  const rows = shown.reduce((sum, [effect]) => sum + (isKept(effect) ? 0 : preview[effect].rows), 0);
  const unspent = formatMoney({ ...preview.not_spent, currency: preview.currency });
  const what = rowKeys === 'all' ? batchId : `${words} of ${batchId}`;
  return (
    <ActionPage
      {...{ frame, batchId, kept, reason: 'required', kind: 'stop', button: `Cancel ${rowsText(rows)}` }}
      title={`Cancel ${what}?`}
      lede={
        <>
          <b>{unspent} would not be spent.</b> Rows that were not sent end at once. The service is asked to cancel
          movies in progress, which may still be charged. Finished movies are still saved.
        </>
      }
      to={`/batches/${batchId}/cancel`}
      fields={{ ...selection.fields, shown: fingerprint(preview) }}
      nothing={canEnd ? undefined : 'There is nothing left to cancel: every row has ended, or is being saved.'}
    >
      <section class="card flush" aria-labelledby="effect">
        <div class="row">
          <h2 id="effect">What it would do</h2>
        </div>
        <table class="t">
          <caption class="vh">Rows and money by what a cancel does to them</caption>
          <thead>
            <tr>
              <th scope="col">Rows that are</th>
              <th scope="col" class="n">
                Rows
              </th>
              <th scope="col" class="n">
                {preview.currency}
              </th>
              <th scope="col">Money</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(([effect, name, means]) => (
              <tr>
                <th scope="row">{name}</th>
                <td class="n">{preview[effect].rows.toLocaleString('en-US')}</td>
                <td class="n">
                  {effect === 'ended' ? '' : formatAmount({ ...preview[effect], currency: preview.currency })}
                </td>
                <td class="soft">{means(preview)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </ActionPage>
  );
}

const effects: readonly (readonly [Effect, string, (preview: Preview) => string])[] = [
  ['not_spent', 'not sent', () => 'not spent'],
  ['may_still_leave', 'being sent', () => 'held; this send may still leave'],
  [
    'may_be_charged',
    'in progress',
    ({ charged }) => (charged ? 'posted; assumed charged even if canceled' : 'posted; assumed refunded'),
  ],
  ['paid_and_kept', 'being saved', () => 'paid, kept'],
  ['unknown', 'unknown', () => 'stays held'],
  ['ended', 'ended', () => 'unchanged'],
];

/** What a cancel does not touch. */
function isKept(effect: Effect): boolean {
  return effect === 'ended' || effect === 'paid_and_kept';
}

/** What somebody saw: another picture at the act is shown again first. */
export function fingerprint(preview: Preview): string {
  return effects.map(([effect]) => preview[effect].rows).join('-');
}
