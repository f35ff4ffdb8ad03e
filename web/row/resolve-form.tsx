import { formatMoney } from '../../domain/money.js';
import { mayAct, rolesFor } from '../../domain/roles.js';
import type { RowHistory } from '../../operations/row-history.js';
import type { listUnknowns } from '../../operations/unknowns.js';
import { useFrame } from '../parts/frame.js';
import { Button, Icon, PostForm } from '../parts/link.js';
import { When } from '../parts/time.js';

export type Proposal = NonNullable<Awaited<ReturnType<typeof listUnknowns>>[number]['proposal']>;

interface ResolveProps {
  readonly history: RowHistory;
  readonly proposal: Proposal | null;
  /** What was typed into the form that was not accepted. */
  readonly typed: Readonly<Record<string, string>>;
}

/** What became of the order, by whoever knows. It takes two people, or one who works alone. */
export function ResolveForm({ history, proposal, typed }: ResolveProps) {
  const { actor } = useFrame();
  const { row, status } = history;
  const held = formatMoney({ amountMinor: row.amountMinor ?? 0, currency: status.batch.money.currency });
  if (!actor || !mayAct(actor, 'resolve')) {
    return (
      <div class="card">
        <h2>What became of it?</h2>
        <p class="soft">
          Somebody with the role {rolesFor('resolve').join(' or ')} says so, and a second one confirms.
        </p>
        {proposal && <Said proposal={proposal} />}
      </div>
    );
  }
  const isOwn = proposal?.by === actor.name;
  return (
    <section class="stack no-print" aria-label="Decision">
      {proposal && !isOwn && <Agree history={history} proposal={proposal} held={held} />}
      <PostForm class="card" to={`/batches/${status.batch.batchId}/rows/${encodeURIComponent(row.rowKey)}/resolve`}>
        <h2>{proposal && !isOwn ? 'Or say otherwise' : 'What became of it?'}</h2>
        {proposal && isOwn && <Said proposal={proposal} />}
        <Answers state={row.state} held={held} chosen={typed.resolution} />
        <div class="field">
          <label for="movie">Movie id, where one was created</label>
          <input
            {...{ class: 'in mono', id: 'movie', name: 'movie', placeholder: 'movie_…', autocomplete: 'off' }}
            value={typed.movie}
          />
        </div>
        <div class="field">
          <label for="evidence">How you know</label>
          <textarea class="in" id="evidence" name="evidence" rows={2}>
            {typed.evidence}
          </textarea>
        </div>
        <Button>Say so</Button>
        <p class="hint">
          {actor.alone
            ? 'You work alone: it takes effect at once.'
            : 'It takes effect when a second person says the same. Another answer than the one before starts again.'}
        </p>
      </PostForm>
    </section>
  );
}

interface AnswersProps {
  readonly state: string;
  readonly held: string;
  readonly chosen: string | undefined;
}

function Answers({ state, held, chosen }: AnswersProps) {
  const answers = [
    ['created', 'It was created', `${held} are posted; the movie is followed and saved`],
    ...(state === 'unknown' ? [['not_created', 'It was not created', `${held} go back to the budget`] as const] : []),
    ...(state === 'unknown'
      ? [['resend', 'Send it once more', `up to ${held} more, if there is one after all`] as const]
      : []),
    ['lost', 'Its movie is given up as lost', `${held} stay paid`],
  ] as const;
  return (
    <fieldset class="stack">
      <legend class="vh">What became of the order</legend>
      {answers.map(([value, words, effect]) => (
        <label class="check">
          <input type="radio" name="resolution" value={value} checked={value === chosen} required />
          <span>
            {words}
            <span class="sub">{effect}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Said({ proposal: { by, resolution, atMs } }: { readonly proposal: Proposal }) {
  return (
    <p class="say odd">
      <Icon name="person" />
      <span>
        {by} said <b>{said(resolution)}</b> <When atMs={atMs} />
        {'evidence' in resolution && `: “${resolution.evidence}”`}
      </span>
    </p>
  );
}

interface AgreeProps {
  readonly history: RowHistory;
  readonly proposal: Proposal;
  readonly held: string;
}

function Agree({ history, proposal, held }: AgreeProps) {
  const { row, status } = history;
  const { resolution, by } = proposal;
  return (
    <PostForm class="card" to={`/batches/${status.batch.batchId}/rows/${encodeURIComponent(row.rowKey)}/resolve`}>
      <h2>Do you agree with {by}?</h2>
      <Said proposal={proposal} />
      <input type="hidden" name="resolution" value={resolution.kind} />
      {resolution.kind === 'created' && <input type="hidden" name="movie" value={resolution.movieId} />}
      {'evidence' in resolution && (
        <div class="field">
          <label for="own-evidence">How you know</label>
          <textarea class="in" id="own-evidence" name="evidence" rows={2} required />
        </div>
      )}
      <Button kind="go" size="big">
        Agree: {said(resolution)}
      </Button>
      <p class="hint">You are the second person. {held} are held until then.</p>
    </PostForm>
  );
}

function said(resolution: Proposal['resolution']): string {
  switch (resolution.kind) {
    case 'created':
      return `it created ${resolution.movieId}`;
    case 'not_created':
      return 'it was not created';
    case 'lost':
      return 'it is lost';
    case 'resend':
      return 'send it once more';
    default:
      return resolution satisfies never;
  }
}
