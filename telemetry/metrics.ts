import { Counter, collectDefaultMetrics, type OpenMetricsContentType, Registry } from 'prom-client';
import type { LedgerFigures } from '../ledger/progress/ledger-figures.js';
import { createLedgerGauges } from './ledger-gauges.js';
import { asOpenMetrics } from './sdk-text.js';
import { within } from './within.js';

export interface MetricsOptions {
  /** Asks the ledger how it stands. */
  readonly figures: () => Promise<LedgerFigures>;
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

/** What this process knows of itself, of Temporal's SDK and of the ledger, in one text (OpenMetrics). */
export function createMetrics({ figures, clock, sdkUrl }: MetricsOptions): Metrics {
  const [registry, ofLedger] = [openMetrics(), openMetrics()];
  collectDefaultMetrics({ register: registry });
  const events = new Counter({
    name: 'greenlight_events',
    help: 'What happened to rows and batches in this process.',
    labelNames: ['event'],
    registers: [registry],
  });
  const gauges = createLedgerGauges(ofLedger);
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
