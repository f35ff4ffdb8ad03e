import { mayAct } from '../../domain/roles.js';
import { useFrame } from '../parts/frame.js';
import { Icon, LinkButton } from '../parts/link.js';
import { Stages } from '../parts/stages.js';

/** The first look at an empty ledger: what there is to do, and what comes after. */
export function NothingYet() {
  const { actor, service } = useFrame();
  return (
    <>
      <section class="quiet">
        <span class="big-icon">
          <Icon name="batches" />
        </span>
        <h2>No movies yet</h2>
        <p class="lede">
          Start with a sheet that has a row for each movie: an id, a prompt, a duration and a ratio. You see each
          problem at its cell, and the price, before anything is ordered.
        </p>
        {actor && mayAct(actor, 'submit') && (
          <div class="row">
            <LinkButton to="/upload" kind="go" icon="upload">
              Upload a sheet
            </LinkButton>
          </div>
        )}
        {service.rehearsal && (
          <p class="say warn">
            <Icon name="info" />
            <span>
              This desk is a <b>rehearsal</b>: the studio on this machine makes short films, and no real money is spent.
            </span>
          </p>
        )}
        <p class="soft small">
          From a terminal: <code>greenlight run manifests/examples/spring-launch.csv --budget 500USD</code>
        </p>
      </section>
      <Stages
        stages={[
          { mark: 'todo', icon: 'sheet', word: 'Check', note: 'every problem, by its cell' },
          { mark: 'todo', icon: 'budgets', word: 'Plan', note: 'a price for each row' },
          { mark: 'todo', icon: 'approval', word: 'Approve', note: 'finance says yes to one exact plan' },
          { mark: 'todo', icon: 'making', word: 'Make', note: 'each movie ordered once' },
          { mark: 'todo', icon: 'saving', word: 'Save', note: 'every file kept and checked' },
          { mark: 'todo', icon: 'closed', word: 'Close', note: 'a certificate, books closed' },
        ]}
      />
    </>
  );
}
