import { Counter, collectDefaultMetrics, type OpenMetricsContentType, Registry } from 'prom-client';
import type { LedgerFigures } from '../ledger/progress/ledger-figures.js';
import { createLedgerGauges, createSoundnessGauge } from './ledger-gauges.js';
import { asOpenMetrics } from './sdk-text.js';
import { within } from './within.js';

export interface MetricsOptions {
  /** Reads the ledger's figures. */
  readonly figures: () => Promise<LedgerFigures>;
  /** Compares every counter of money with its entries; resolves with how many differ. */
  readonly unsound: () => Promise<number>;
  readonly clock: () => number;
  /** Where the SDK of Temporal serves its own metrics; null for a process without workers. */
  readonly sdkUrl: string | null;
}

export interface Metrics {
  /** Events of rows and batches in this process, by kind. */
  readonly events: Counter<'event'>;
  readonly contentType: string;
  /** @param ledger whether to include the ledger; one of many workers is enough for that. */
  text(options: { readonly ledger: boolean }): Promise<string>;
}

/** Shortest time between two queries of the ledger, however many scrapes come. */
const freshMs = 15_000;
/** Workers wait for an unavailable ledger; scrapes must not wait with them. */
const patienceMs = 3_000;

/** Rebuilding every counter takes seconds of the database in a large ledger. */
const soundForMs = 15 * 60_000;

/** Collects metrics of this process, Temporal's SDK and the ledger into one text (OpenMetrics). */
export function createMetrics({ figures, unsound, clock, sdkUrl }: MetricsOptions): Metrics {
  const [registry, ofLedger] = [openMetrics(), openMetrics()];
  collectDefaultMetrics({ register: registry });
  const events = new Counter({
    name: 'greenlight_events',
    help: 'What happened to rows and batches in this process.',
    labelNames: ['event'],
    registers: [registry],
  });
  // A rate sees the first event only if there was a count before it.
  events.inc({ event: 'restarted' }, 0);
  const gauges = createLedgerGauges(ofLedger);
  const showSoundness = createSoundnessGauge(ofLedger);
  const compare = throttled(soundForMs, async () => showSoundness(await unsound()));
  let asking: Promise<LedgerFigures> | null = null;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    if (performance.now() - askedAtMs < freshMs) return;
    // A query under way is waited for, so that an outage does not pile up queries.
    asking ??= figures().finally(() => {
      asking = null;
    });
    const found = await within(asking, patienceMs);
    if (found) askedAtMs = performance.now();
    gauges.show(found, clock());
    if (found) await within(compare(), patienceMs);
  }

  return {
    events,
    contentType: registry.contentType,
    async text({ ledger }) {
      if (ledger) await look();
      const parts = [await registry.metrics(), ...(ledger ? [await ofLedger.metrics()] : [])];
      const sdk = sdkUrl === null ? '' : await sdkText(sdkUrl);
      return `${[...parts, sdk].map(withoutEnd).join('')}# EOF\n`;
    },
  };
}

/** Calls `act` at most once in that time; callers meanwhile wait for the same call, and a failure is retried. */
function throttled(everyMs: number, act: () => Promise<void>): () => Promise<unknown> {
  let last: { readonly atMs: number; readonly done: Promise<unknown> } | null = null;
  return () => {
    if (last && performance.now() - last.atMs < everyMs) return last.done;
    const done = act().catch(() => {
      last = null;
    });
    last = { atMs: performance.now(), done };
    return done;
  };
}

type OpenMetrics = Registry<OpenMetricsContentType>;

function openMetrics(): OpenMetrics {
  const registry: OpenMetrics = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** Empty until the SDK has started. */
async function sdkText(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    return answer.ok ? asOpenMetrics(await answer.text()) : '';
  } catch {
    return '';
  }
}

function withoutEnd(text: string): string {
  const body = text.replace(/# EOF\s*$/, '');
  return body === '' || body.endsWith('\n') ? body : `${body}\n`;
}
