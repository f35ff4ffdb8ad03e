import type { DeskHealth } from '../../operations/health/desk-health.js';
import { capital } from '../../reports/wording/capital.js';
import { Command } from '../parts/command.js';
import type { Frame } from '../parts/frame.js';
import { Icon } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { Page } from '../parts/page.js';
import { NoticesCard } from './notices-card.js';
import { PlacesCard } from './places-card.js';
import { ToDoCard, thingsToDo } from './to-do-card.js';
import { WorkersCard } from './workers-card.js';

/** What an operator looks at first when movies do not come. */
export function HealthPage({ frame, health }: { readonly frame: Frame; readonly health: DeskHealth }) {
  const things = thingsToDo(health);
  const count = things.length === 1 ? '1 thing to do' : `${things.length} things to do`;
  return (
    <Page frame={frame} title="Health" here="/health">
      <div class="top">
        <div class="row">
          <h1>Health</h1>
          <span class={things.length === 0 ? 'st pill good' : 'st pill warn'}>
            <Icon name={things.length === 0 ? 'delivered' : 'review'} />
            {things.length === 0 ? 'Nothing to do' : count}
          </span>
          <AsOf />
        </div>
        <p class="lede">
          {things.length === 0 ? <b>Every part answers, and nothing is in the way.</b> : <b>{things[0]?.title}.</b>}
        </p>
      </div>
      {things.length > 0 && <ToDoCard things={things} />}
      <div class="two">
        <div class="stack">
          <Parts parts={health.parts} />
          <NoticesCard channels={health.channels} nowMs={frame.nowMs} />
        </div>
        <div class="stack">
          <WorkersCard workers={health.workers} lastHour={health.lastHour} />
          <PlacesCard places={health.places} />
        </div>
      </div>
      <div>
        <p class="soft small">The same from a terminal:</p>
        <Command text="greenlight doctor" />
      </div>
    </Page>
  );
}

function Parts({ parts }: Pick<DeskHealth, 'parts'>) {
  return (
    <section class="card" aria-labelledby="parts">
      <h2 id="parts">Parts</h2>
      <ul class="checks">
        {parts.map(({ part, ok, words }) => (
          <li>
            <Icon name={ok ? 'delivered' : 'failed'} tone={ok ? 'good' : 'bad'} />
            <span class="any">
              <b>{capital(part)}</b>: {words}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
