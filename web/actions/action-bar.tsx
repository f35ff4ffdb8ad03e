import { type Act, type Actor, mayAct, mayActOnOwn } from '../../domain/roles.js';
import type { BatchStatus } from '../../operations/batches.js';
import { useFrame } from '../parts/frame.js';
import { LinkButton } from '../parts/link.js';

/** What this person may do to the batch as it stands. Each leads to a page that says what it would do. */
export function ActionBar({ status }: { readonly status: BatchStatus }) {
  const { actor } = useFrame();
  const { batch, counts } = status;
  if (!actor) return null;
  const { batchId, state, stops, decision } = batch;
  const may = (act: Act) => mayDo(actor, act, batch);
  const has = (...kinds: readonly string[]) => stops.some(({ kind }) => kinds.includes(kind));
  const again = (counts.failed ?? 0) + (counts.canceled ?? 0) + (counts.lost ?? 0);
  const isMaking = state === 'making';
  const at = (act: string) => `/batches/${batchId}/${act}`;
  return (
    <div class="row no-print" data-part="acts">
      {isMaking && !has('paused') && may('pause') && (
        <LinkButton to={at('pause')} icon="paused">
          Pause…
        </LinkButton>
      )}
      {isMaking && has('paused', 'credentials') && may('resume') && (
        <LinkButton to={at('resume')} kind="go" icon="play">
          Resume…
        </LinkButton>
      )}
      {isMaking && has('tripped', 'canary') && may('continue') && (
        <LinkButton to={at('continue')} kind="go" icon="play">
          Continue…
        </LinkButton>
      )}
      {again > 0 && decision?.kind === 'approved' && may('retry') && (
        <LinkButton to={at('retry')} icon="retry">
          Retry {again.toLocaleString('en-US')}…
        </LinkButton>
      )}
      {(counts.lost ?? 0) > 0 && may('refetch') && (
        <LinkButton to={at('refetch')} icon="down">
          Refetch {(counts.lost ?? 0).toLocaleString('en-US')}…
        </LinkButton>
      )}
      {canCancel.includes(state) && may('cancel') && (
        <LinkButton to={at('cancel')} kind="stop" icon="canceled">
          Cancel…
        </LinkButton>
      )}
    </div>
  );
}

const canCancel: readonly string[] = ['preparing', 'waiting', 'making', 'unsettled'];

/** By role, or because they submitted it; the act itself asks again. */
export function mayDo(actor: Actor, act: Act, { submittedBy }: Pick<BatchStatus['batch'], 'submittedBy'>): boolean {
  return mayAct(actor, act) || (mayActOnOwn(actor, act) && submittedBy === actor.name);
}
