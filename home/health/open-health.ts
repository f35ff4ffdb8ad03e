import { ledgerFigures } from '../../ledger/progress/ledger-figures.js';
import { auditCounters } from '../../ledger/verification/counter-check.js';
import { createMetrics } from '../../telemetry/metrics.js';
import { serveHealth } from '../../telemetry/serve-health.js';
import { within } from '../../telemetry/within.js';
import { ConfigError } from '../config-error.js';
import { freePort } from '../free-port.js';
import type { Installation } from '../installation.js';

export interface Health {
  /** Where Temporal's SDK serves its own metrics, which are included in ours. */
  readonly sdkMetricsAt: string;
  /** Bases readiness on this part from now on: it returns a line about each thing that it lacks. */
  watch(part: { lacking(): readonly string[] }): void;
  /** Counts an event of a row or a batch, by its kind. */
  count(kind: string): void;
  close(): Promise<void>;
}

/** A ledger that does not answer for this long is unavailable. */
const patienceMs = 2_000;

/**
 * Serves `/livez`, `/readyz` and `/metrics` of this process, if the configuration sets an address.
 *
 * @returns null if it does not.
 * @throws ConfigError when it cannot listen there.
 */
export async function openHealth(installation: Installation): Promise<Health | null> {
  const { config, ledger } = installation;
  if (config.health === null) return null;
  const { host, port } = config.health;
  const sdkMetricsAt = `127.0.0.1:${await freePort()}`;
  const sdkUrl = `http://${sdkMetricsAt}/metrics`;
  const metrics = createMetrics({
    ...{ figures: () => ledgerFigures(ledger), clock: ledger.clock, sdkUrl },
    unsound: async () => (await auditCounters(ledger)).length,
  });
  let watched: { lacking(): readonly string[] } | null = null;
  const lacking = async () => {
    const answer = await within(ledger.db.selectFrom('ledger').select('id').execute(), patienceMs);
    return [...(answer ? [] : ['the ledger does not answer']), ...(watched?.lacking() ?? ['still starting'])];
  };
  try {
    const server = await serveHealth({ host, port }, { metrics, lacking });
    return {
      sdkMetricsAt,
      watch(part) {
        watched = part;
      },
      count: (kind) => metrics.events.inc({ event: kind }),
      close: server.close,
    };
  } catch (error) {
    throw new ConfigError(
      `Cannot serve /livez, /readyz and /metrics at ${host}:${port}: ${(error as Error).message}; change GREENLIGHT_HEALTH_LISTEN`,
      { cause: error },
    );
  }
}
