import { ConnectionError } from '../../../api/errors.js';
import { createMovieApi, type MovieApi } from '../../../api/movie-api.js';
import type { Studio } from '../../../studio/studio.js';
import type { Faults } from '../faults.js';
import type { Gates, Process } from '../gates.js';

const baseUrl = 'http://studio.simulation/v1';
export const apiKey = 'key-of-the-simulation';

export interface NetworkDeps {
  readonly gates: Gates;
  readonly faults: Faults;
  readonly clock: () => number;
  /** Null while the service is down. */
  readonly studio: () => Studio | null;
  /** How likely a request meets a fault. */
  readonly probability: number;
  /** What one request makes, two make twice: where the service knows no key, a doubled one is two movies. */
  readonly knowsKeys: boolean;
  /** Until then the service does not take our key. */
  readonly lockedOut: () => boolean;
  /** Hears of each movie that the service makes. */
  readonly onMovie: (movieId: string) => void;
}

/** The client gives up on an answer after so long. */
const patienceMs = 60_000;

class NotConnected extends Error {}

/** What may happen to any request. */
const transportFaults = [
  ...['not connected', 'request lost', 'answer lost', 'answer lost', 'answer lost', 'doubled', 'doubled'],
  ...['late', 'late', 'late'],
  ...['429', '429 without a time', '500 before', '500 after', '503 after', 'garbage', 'truncated'],
] as const;

/** What a create may be answered, whatever came of it, or instead of it. */
const createFaults = [
  ...transportFaults,
  ...['no id', 'other movie', '400', '422', '403', '409', '409 after', '418', '408', '302'],
] as const;

type RequestFault = (typeof createFaults)[number];

/** What an order that was sent before may be answered: nobody knows yet what the first one did. */
const repeatFaults: readonly RequestFault[] = [
  ...['429', '429', '429 without a time', '400', '422', '403', '403', '409', '418', '418', '408', '302'],
  ...['not connected', 'other movie', 'no id', 'answer lost'],
] as const satisfies readonly RequestFault[];

/** Between the product's own client and the studio's own server: every request stands at a gate before and after it. */
export class Network {
  readonly #deps: NetworkDeps;
  /** What has left a process goes on without it. */
  readonly #wire: Process = { name: 'wire', alive: true };
  /** Keys of orders that left before. */
  readonly #sent = new Set<string>();

  constructor(deps: NetworkDeps) {
    this.#deps = deps;
  }

  api(process: Process): MovieApi {
    const api = createMovieApi({ baseUrl, apiKey, fetch: (request) => this.exchange(process, request) });
    const createMovie: MovieApi['createMovie'] = async (...args) => {
      try {
        return await api.createMovie(...args);
      } catch (error) {
        if (!(error instanceof ConnectionError && error.cause instanceof NotConnected)) throw error;
        const proof = { operation: 'createMovie', sent: 'nothing', reason: 'connect' } as const;
        throw new ConnectionError('Cannot connect', proof);
      }
    };
    return { ...api, createMovie };
  }

  async exchange(process: Process, request: Request): Promise<Response> {
    const { gates, clock, studio } = this.#deps;
    const label = `${request.method} ${new URL(request.url).pathname.replace('/v1/', '')}`;
    const body = request.body === null ? null : await gates.work(() => request.arrayBuffer());
    const again = () => new Request(request.url, { method: request.method, headers: request.headers, body });
    if ((await gates.park({ kind: 'request', label, process }, clock() + patienceMs)) === 'expired') {
      // Given up here; what had left arrives all the same, by and by.
      gates.apart(async () => {
        await gates.park({ kind: 'request', label: `${label}, late`, process: this.#wire });
        await this.#ask(again()).catch(() => undefined); // nobody waits for the answer
      });
      throw new Error('no answer in time');
    }
    const fault = this.#drawn(request, label);
    if (fault === 'not connected' || studio() === null) throw new NotConnected('connection refused');
    const answer = await this.#answer(fault, again);
    const how = await gates.park({ kind: 'answer', label, process }, clock() + (fault === 'late' ? 0 : patienceMs));
    if (how === 'expired') throw new Error('no answer in time');
    return answer;
  }

  #drawn({ headers }: Request, label: string): RequestFault | null {
    const { faults, probability } = this.#deps;
    if (label !== 'POST movies') return faults.draw(probability / 2, transportFaults, label);
    const key = headers.get('idempotency-key') ?? '';
    const isRepeat = this.#sent.has(key);
    this.#sent.add(key);
    return faults.draw(Math.min(3 * probability, 0.7), isRepeat ? repeatFaults : createFaults, label);
  }

  async #answer(fault: RequestFault | null, request: () => Request): Promise<Response> {
    if (this.#deps.lockedOut()) return refusal(401, 'unauthorized');
    switch (fault) {
      case 'request lost':
        throw new Error('reset');
      case 'answer lost':
        await this.#ask(request());
        throw new Error('reset');
      case 'doubled':
        if (!this.#deps.knowsKeys) return this.#ask(request());
        await this.#ask(request());
        return this.#ask(request());
      case '429':
        return refusal(429, 'rate_limit_exceeded', { 'retry-after': '7' });
      case '429 without a time':
        return refusal(429, 'rate_limit_exceeded');
      case '302':
        return new Response(null, { status: 302, headers: { location: 'http://elsewhere.simulation/' } });
      case '400':
      case '422':
      case '403':
      case '409':
      case '418':
      case '408':
        return refusal(Number(fault), 'refused');
      case '500 before':
        return refusal(500, 'internal_error');
      default:
        return spoilt(fault, await this.#ask(request()));
    }
  }

  async #ask(request: Request): Promise<Response> {
    const studio = this.#deps.studio();
    if (!studio) throw new Error('connection refused');
    return this.#deps.gates.work(async () => {
      const answer = await studio.fetch(request);
      const text = await answer.text();
      if (answer.status === 202) this.#deps.onMovie((JSON.parse(text) as { readonly id: string }).id);
      return new Response(text, { status: answer.status, headers: answer.headers });
    });
  }
}

/** An answer that came, and was broken on its way. */
async function spoilt(fault: RequestFault | null, answer: Response): Promise<Response> {
  const { status, headers } = answer;
  switch (fault) {
    case '500 after':
      return refusal(500, 'internal_error');
    case '503 after':
      return refusal(503, 'unavailable', { 'retry-after': '20' });
    case '409 after':
      return refusal(409, 'conflict');
    case 'garbage':
      return new Response('<html>a proxy</html>', { status, headers: { 'content-type': 'text/html' } });
    case 'truncated':
      return new Response((await answer.text()).slice(0, 20), { status, headers });
    case 'no id':
      return changed(answer, { id: undefined });
    case 'other movie':
      return changed(answer, { prompt: 'A brief of somebody else' });
    default:
      return answer;
  }
}

async function changed(answer: Response, change: object): Promise<Response> {
  const { status, headers } = answer;
  if (!answer.ok) return answer;
  const body: unknown = await answer.json();
  return new Response(JSON.stringify({ ...(typeof body === 'object' && body), ...change }), { status, headers });
}

function refusal(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Response {
  const error = { code, message: 'The simulation says so', request_id: 'req_simulation' };
  return new Response(JSON.stringify({ error }), {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
  });
}
