import { Movie, movieStatuses } from '../../api/contract.js';
import { parsed } from '../answers.js';
import { sampleRequest } from '../briefs.js';
import { type Clause, NotTestable, require } from '../clause.js';
import type { EventReceiver } from '../service.js';
import { pollMs, type Session } from '../session.js';

/** How long an event may take on its way; the interface does not say. */
const deliveryMs = 30_000;

export const eventClauses: readonly Clause[] = [
  {
    id: 'events.webhook',
    section: 'Events',
    says: 'The callback address of a create receives lifecycle events of the movie',
    async check(session) {
      await eventsOfMovie(session);
    },
  },
  {
    id: 'events.completed',
    section: 'Events',
    says: 'The events of a movie arrive until it is completed, where they show its status',
    async check(session) {
      const events = receiverOf(session);
      const { id } = await session.completedMovie();
      const statuses = () => recordsOf(events, id).map(({ status }) => status);
      await eventsOfMovie(session);
      if (statuses().every((status) => status === undefined)) throw new NotTestable('its events show no status');
      await until(session, () => statuses().includes('completed'));
      require(statuses().includes('completed'), `sent no event of its end, only ${statuses().join(', ')}`);
    },
  },
  {
    id: 'events.record',
    section: 'Events',
    says: 'Where an event shows the Movie record, it is in the shape of the interface',
    async check(session) {
      await eventsOfMovie(session);
      const { movie } = await session.movie();
      const records = recordsOf(receiverOf(session), movie.id).filter(({ status }) => status !== undefined);
      for (const record of records) {
        const result = Movie.safeParse(record);
        const exchange = { sent: 'an event', received: JSON.stringify(record).slice(0, 600) };
        require(result.success, 'sent a different shape', exchange);
        const { status } = result.data;
        require((movieStatuses as readonly string[]).includes(status), `uses the status ${status}`, exchange);
      }
    },
  },
  {
    id: 'estimate.creates-nothing',
    section: 'Endpoints',
    says: 'An estimate creates no job: nothing is sent to its callback address',
    async check(session) {
      const events = receiverOf(session);
      await eventsOfMovie(session);
      const prompt = `${sampleRequest.prompt} Only to be estimated, ${session.keys.movie}.`;
      await session.call('estimateMovie', { body: { ...sampleRequest, prompt, webhook_url: events.url } });
      await until(session, () => events.received.some((body) => body.includes(prompt)), 2_000);
      const known = [...session.account.made.keys()];
      const strange = events.received.find((body) => !known.some((id) => body.includes(id)));
      require(strange === undefined, 'sent an event of a movie that nobody made', {
        sent: 'an event',
        received: (strange ?? '').slice(0, 600),
      });
    },
  },
];

function receiverOf({ service }: Session): EventReceiver {
  if (service.events) return service.events;
  throw new NotTestable('there is no address at which its events can be received');
}

async function eventsOfMovie(session: Session): Promise<void> {
  const events = receiverOf(session);
  const { id } = (await session.movie()).movie;
  const arrived = () => events.received.some((body) => body.includes(id));
  await until(session, arrived);
  const seen = events.received.length === 0 ? 'nothing' : `${events.received.length} requests that do not name it`;
  require(arrived(), `sent ${seen} to the callback address within ${deliveryMs / 1000} s`);
}

async function until({ service }: Session, condition: () => boolean, patienceMs = deliveryMs): Promise<void> {
  for (let waitedMs = 0; !condition() && waitedMs < patienceMs; waitedMs += pollMs) await service.sleep(pollMs);
}

/** Every object with the movie's id, wherever an event has it. */
function recordsOf(events: EventReceiver, id: string): readonly Readonly<Record<string, unknown>>[] {
  const found: Record<string, unknown>[] = [];
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('id' in value && value.id === id) found.push({ ...value });
    Object.values(value).forEach(walk);
  };
  for (const body of events.received) walk(parsed(body));
  return found;
}
