import type { ActivityDeps } from '../../activities/deps.js';
import { createOrder } from '../../activities/order.js';
import { studio } from '../ledger/scene.js';

/** Where the ledger and the movie service of an order are. */
export interface OrderSite {
  readonly ledgerUrl: string;
  readonly serviceUrl: string;
  readonly apiKey: string;
  readonly nowMs: number;
}

type OrderDeps = Pick<ActivityDeps, 'ledger' | 'api' | 'markArchive'>;

/** The activity over real parts; it touches nothing of the rest. */
export function orderDeps({ nowMs }: Pick<OrderSite, 'nowMs'>, deps: OrderDeps) {
  const needed: Pick<ActivityDeps, keyof OrderDeps | 'service' | 'clock' | 'polling' | 'webhookUrl'> = {
    ...deps,
    ...{ service: studio, clock: () => nowMs, polling: { floorMs: 500, ceilingMs: 60_000 }, webhookUrl: null },
  };
  return { order: createOrder(needed as ActivityDeps) }; // an order archives, reports and prices nothing
}
