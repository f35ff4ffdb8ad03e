/** Orders one row in a process of its own, which kills itself (SIGKILL) at the step named by its arguments. */
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { createMovieApi } from '../../api/movie-api.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { type OrderSite, orderDeps } from './order-deps.js';

/** Every point of an order at which something may be awaited: what is between two of them is one step to others. */
export const steps = [
  'before the admission',
  'in the transaction of the admission',
  'before the commit of the admission',
  'after the commit of the admission',
  'after the mark of the archive',
  'before the first byte is sent',
  'when the answer begins',
  'when the answer is read',
  'in the transaction of the answer',
  'before the commit of the answer',
  'after the commit of the answer',
] as const;
export type Step = (typeof steps)[number];

export interface ChildOrder extends OrderSite {
  readonly batchId: string;
  readonly rowKey: string;
  readonly die: Step;
}

/** As much of an activity's context as an order touches: the SDK's own takes a worker, and seconds to load. */
const context = { heartbeat: () => undefined, cancellationSignal: new AbortController().signal } as unknown as Context;

async function run(order: ChildOrder): Promise<void> {
  const step = (name: Step) => {
    if (name === order.die) process.kill(process.pid, 'SIGKILL');
  };
  const ledger = dying(await openLedger({ url: order.ledgerUrl }), step);
  const api = createMovieApi({
    ...{ baseUrl: order.serviceUrl, apiKey: order.apiKey },
    fetch: async (request) => {
      step('before the first byte is sent');
      const response = await fetch(request);
      step('when the answer begins');
      return response;
    },
  });
  const createMovie: typeof api.createMovie = async (...args) => {
    const movie = await api.createMovie(...args);
    step('when the answer is read');
    return movie;
  };
  const { order: act } = orderDeps(order, {
    ...{ ledger, api: { ...api, createMovie } },
    markArchive: async () => step('after the mark of the archive'),
  });
  step('before the admission');
  await asyncLocalStorage.run(context, () => act(order.batchId, [order.rowKey]));
  throw new Error(`Cannot die ${order.die}: the order ended before`);
}

/** The first write of an order is its admission, the second one its answer. */
function dying(ledger: Ledger, step: (name: Step) => void): Ledger {
  let writes = 0;
  return {
    ...ledger,
    async write(work, options) {
      writes += 1;
      const of = writes === 1 ? 'admission' : 'answer';
      const result = await ledger.write(async (tx) => {
        step(`in the transaction of the ${of}`);
        const done = await work(tx);
        step(`before the commit of the ${of}`);
        return done;
      }, options);
      step(`after the commit of the ${of}`);
      return result;
    },
  };
}

const argument = process.argv[2];
if (argument !== undefined && process.argv[1]?.endsWith('order-child.ts')) await run(JSON.parse(argument));
