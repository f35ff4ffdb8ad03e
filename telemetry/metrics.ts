import { Counter, collectDefaultMetrics, type OpenMetricsContentType, Registry } from 'prom-client';
import type { LedgerFigures } from '../ledger/progress/ledger-figures.js';
import { createLedgerGauges, createSoundnessGauge } from './ledger-gauges.js';
import { asOpenMetrics } from './sdk-text.js';
import { within } from './within.js';

export interface MetricsOptions {
  /** Asks the ledger how it stands. */
  readonly figures: () => Promise<LedgerFigures>;
  /** Compares every counter of money with its entries; answers how many differ. */
  readonly unsound: () => Promise<number>;
  readonly clock: () => number;
  /** Where the SDK of Temporal serves its own metrics; null for a process without workers. */
  readonly sdkUrl: string | null;
}

export interface Metrics {
  /** What happened to rows and batches in this process, by its kind. */
  readonly events: Counter<'event'>;
  readonly contentType: string;
  /** @param ledger whether the ledger is to be asked too; one of many workers is enough for that. */
  text(options: { readonly ledger: boolean }): Promise<string>;
}

/** The ledger is asked at most so often, however many ask us. */
const freshMs = 15_000;
/** A ledger that is away is waited for by the workers; whoever asks for metrics is not to wait with them. */
const patienceMs = 3_000;

/** To build every counter again costs seconds of the database in a large ledger. */
const soundForMs = 15 * 60_000;

/** What this process knows of itself, of Temporal's SDK and of the ledger, in one text (OpenMetrics). */
export function createMetrics({ figures, unsound, clock, sdkUrl }: MetricsOptions): Metrics {
  const [registry, ofLedger] = [openMetrics(), openMetrics()];
  collectDefaultMetrics({ register: registry });
  const events = new Counter({
    name: 'greenlight_events',
    help: 'What happened to rows and batches in this process.',
    labelNames: ['event'],
    registers: [registry],
  });
  // A rate sees the first one only where there was a count before it.
  events.inc({ event: 'restarted' }, 0);
  const gauges = createLedgerGauges(ofLedger);
  const showSoundness = createSoundnessGauge(ofLedger);
  const compare = seldom(soundForMs, async () => showSoundness(await unsound()));
  let asking: Promise<LedgerFigures> | null = null;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    if (performance.now() - askedAtMs < freshMs) return;
    // One that has not come back is waited for on, so that an outage heaps up no questions.
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

/** Does so at most once in that time; everybody who asks meanwhile waits for the same, and a failure is tried again. */
function seldom(everyMs: number, act: () => Promise<void>): () => Promise<unknown> {
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

/** None while the SDK has not begun. */
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
