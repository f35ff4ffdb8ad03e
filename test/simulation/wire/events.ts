import { nudgeMovies } from '../../../ledger/progress/wake-followers.js';
import { createWebhookReceiver } from '../../../web/webhooks/webhook-receiver.js';
import type { Process } from '../gates.js';
import { gatedLedger, type Surroundings, workflowPort } from '../process.js';

const path = '/events';

export interface MovieEvent {
  readonly movieId: string;
  readonly status: string;
}

/**
 * The way of an event from the service to the product's own receiver, which believes nobody: an event may be lost, come
 * twice, or be a lie, and changes when somebody looks and nothing else.
 */
export class Events {
  readonly #around: Surroundings;
  readonly #desk: Process;

  constructor(around: Surroundings, desk: Process) {
    this.#around = around;
    this.#desk = desk;
  }

  /** The service tells of a movie. */
  async tell(event: MovieEvent): Promise<void> {
    const { faults, probability } = this.#around;
    const fault = faults.draw(Math.min(4 * probability, 0.9), ['event lost', 'event doubled'], 'an event');
    if (fault === 'event lost') return;
    await this.#receive(event);
    if (fault === 'event doubled') await this.#receive(event);
  }

  /** Anybody tells anything: nothing is signed here, as where no secret was agreed. */
  async forge(event: MovieEvent): Promise<void> {
    await this.#receive(event);
  }

  async #receive({ movieId, status }: MovieEvent): Promise<void> {
    await this.#around.gates.park({ kind: 'request', label: `event of ${movieId}`, process: this.#desk });
    const told: string[] = [];
    const receiver = createWebhookReceiver({ path, secrets: [], tell: (movie) => told.push(movie) });
    const body = JSON.stringify({ type: `movie.${status}`, data: { id: movieId, status } });
    await this.#around.gates.work(async () => receiver.request(path, { method: 'POST', body }));
    await this.#passOn(told);
  }

  /** As the desk does it, but for the moment in which it gathers what comes together. */
  async #passOn(movieIds: readonly string[]): Promise<void> {
    const ledger = gatedLedger(this.#desk, this.#around);
    const workflows = workflowPort(this.#desk, this.#around);
    const asleep = await nudgeMovies(ledger, { movieIds, nowMs: this.#around.clock() }).catch(() => []); // it is away
    await Promise.all(asleep.map(({ batchId, slice }) => workflows.nudgeSlice(batchId, slice)));
  }
}
