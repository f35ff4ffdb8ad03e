import type { ShareLink } from '../../operations/batch/share-links.js';
import { Button, PostForm } from '../parts/link.js';
import { When } from '../parts/time.js';

interface ShareCardProps {
  readonly batchId: string;
  readonly links: readonly ShareLink[];
  /** The address of the link that was made just now; it is shown this once. */
  readonly made: string | null;
  /** How many movies are marked redo; they may be planned again by who has the role. */
  readonly redo: number;
  readonly mayRetry: boolean;
}

/** Links for people without an account, and the way from a redo to its order. */
export function ShareCard({ batchId, links, made, redo, mayRetry }: ShareCardProps) {
  return (
    <div class="two">
      <section class="card" aria-labelledby="share">
        <h2 id="share">Share for review</h2>
        {made !== null && (
          <p class="say good">
            <span>
              Give this link to who reviews. It is shown this once: <code class="mono">{made}</code>
            </span>
          </p>
        )}
        <PostForm to={`/batches/${batchId}/shares`} class="row">
          <label class="row" for="days">
            Open for
          </label>
          <select class="in auto" id="days" name="days">
            <option value="7">7 days</option>
            <option value="14">14 days</option>
            <option value="30">30 days</option>
          </select>
          <Button>Make a link</Button>
        </PostForm>
        <p class="hint">It shows these movies and nothing else, without prices, to whoever has it.</p>
        {links.length > 0 && <OpenLinks {...{ batchId, links }} />}
      </section>
      <OrderAgain {...{ batchId, redo, mayRetry }} />
    </div>
  );
}

function OpenLinks({ batchId, links }: Pick<ShareCardProps, 'batchId' | 'links'>) {
  return (
    <table class="t tight">
      <caption class="vh">Open links</caption>
      <thead>
        <tr>
          <th scope="col">By</th>
          <th scope="col">Until</th>
          <th scope="col">
            <span class="vh">Act</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map(({ linkId, by, untilMs }) => (
          <tr>
            <th scope="row">
              {by} <span class="sub">{linkId}</span>
            </th>
            <td>
              <When atMs={untilMs} />
            </td>
            <td class="n">
              <PostForm to={`/batches/${batchId}/shares/${linkId}/revoke`}>
                <Button kind="stop" size="small">
                  Revoke
                </Button>
              </PostForm>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OrderAgain({ batchId, redo, mayRetry }: Pick<ShareCardProps, 'batchId' | 'redo' | 'mayRetry'>) {
  return (
    <section class="card" aria-labelledby="again">
      <h2 id="again">Order again</h2>
      <p>
        {redo === 0
          ? 'Nothing is marked redo.'
          : `${redo === 1 ? '1 movie is' : `${redo} movies are`} marked redo. As a new batch they get a price, and somebody approves it before anything is ordered.`}
      </p>
      {redo > 0 && mayRetry && (
        <PostForm to={`/batches/${batchId}/redo`}>
          <Button icon="redo">Plan {redo === 1 ? 'it' : 'them'} again</Button>
        </PostForm>
      )}
      {redo > 0 && !mayRetry && <p class="hint">A person with the operator role plans them again.</p>}
    </section>
  );
}
