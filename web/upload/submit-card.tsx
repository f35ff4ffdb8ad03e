import type { CheckedUpload } from '../../operations/upload/manifest-uploads.js';
import { rowsText } from '../../reports/wording/state-words.js';
import { Button, PostForm } from '../parts/link.js';
import type { Check } from './sheet-filter.js';

interface SubmitCardProps {
  readonly upload: CheckedUpload['upload'];
  readonly check: Check;
  readonly inTheWay: string | null;
  /** As it was ticked before. */
  readonly respend: boolean;
}

/** On to a price; not while a cell can be read in more than one way. */
export function SubmitCard({ upload, check, inTheWay, respend }: SubmitCardProps) {
  const isReady = check.errors === 0 && check.head !== null;
  const movies = check.briefs === 1 ? '1 movie' : `${check.briefs.toLocaleString('en-US')} movies`;
  return (
    <PostForm class="card no-print" to={`/uploads/${upload.id}/submit`}>
      <h2>Next: a price</h2>
      <p class="soft small">
        Greenlight asks the service what each row costs and shows the plan to finance. It orders nothing.
      </p>
      {isReady ? (
        <>
          <dl class="facts small">
            <dt>Campaign</dt>
            <dd>{check.head?.campaign}</dd>
            <dt>Budget</dt>
            <dd>{upload.budget ?? check.head?.settings.budget ?? check.head?.campaign}</dd>
            <dt>Movies</dt>
            <dd>{movies}</dd>
          </dl>
          <label class="check">
            <input type="checkbox" name="respend" value="yes" checked={respend} />
            Also re-order rows that were paid for and have changed since
          </label>
          {inTheWay && (
            <label class="check">
              <input type="checkbox" name="beside" value="yes" />
              Plan it as a second batch, next to {inTheWay}
            </label>
          )}
          <Button kind="go" size="big">
            Submit {rowsText(check.rows)}
          </Button>
        </>
      ) : (
        <>
          <button class="b big" type="submit" disabled aria-describedby="why-not">
            Submit {rowsText(check.rows)}
          </button>
          <p class="hint" id="why-not">
            After {check.errors === 1 ? 'the error is' : `the ${check.errors.toLocaleString('en-US')} errors are`} fixed
          </p>
        </>
      )}
    </PostForm>
  );
}
