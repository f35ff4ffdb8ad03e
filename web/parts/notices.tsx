import type { Notified } from '../../operations/deps.js';
import { type DeskContext, seeOther } from '../desk-env.js';
import { Icon } from './link.js';

/** Back to the batch after an act; with a word where the workers could not be told of it. */
export function toBatch(c: DeskContext, batchId: string, { told }: Notified): Response {
  return seeOther(c, `/batches/${batchId}${told ? '' : '?notified=no'}`);
}

/** After an act that is recorded, and that no worker has heard of. */
export function NotNotified() {
  return (
    <p class="say warn" role="status">
      <Icon name="clock" />
      <span>
        <b>It is recorded.</b> Workers are not notified yet; they will pick it up when they start.
      </span>
    </p>
  );
}
