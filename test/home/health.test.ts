import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../home/free-port.js';
import { type Health, openHealth } from '../../home/health/open-health.js';
import type { Installation } from '../../home/installation.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';

let ledger: Ledger;
let port: number;
let health: Health | null = null;
beforeEach(async () => {
  ledger = await openLedger({ url: 'sqlite::memory:' });
  port = await freePort();
});
afterEach(async () => {
  await health?.close();
  health = null;
  await ledger.close();
});

/** What it needs of an installation. */
function installation(listen: { host: string; port: number } | null): Installation {
  return { config: { health: listen }, ledger } as unknown as Installation;
}
const ready = async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return [answer.status, await answer.text()];
};

test('nothing is served where no place is named', async () => {
  expect(await openHealth(installation(null))).toBeNull();
});

test('a process is ready once its part lacks nothing, and says what is missing', async () => {
  health = await openHealth(installation({ host: '127.0.0.1', port }));
  expect(await ready()).toEqual([503, 'still starting\n']);
  let lacking: readonly string[] = [];
  health?.watch({ lacking: () => lacking });
  expect(await ready()).toEqual([200, 'ok\n']);
  lacking = ['stopping'];
  expect(await ready()).toEqual([503, 'stopping\n']);
  health?.count('delivered');
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('greenlight_events_total{event="delivered"} 1');
  expect(metrics).toContain('greenlight_ledger_up 1');
  await ledger.db.destroy();
  lacking = [];
  expect(await ready()).toEqual([503, 'the ledger does not answer\n']);
  ledger = await openLedger({ url: 'sqlite::memory:' });
});

test('a place that is taken is named, with its setting', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  await expect(openHealth(installation({ host: '127.0.0.1', port }))).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/ at 127\.0\.0\.1:\d+: .*EADDRINUSE.*; change GREENLIGHT_HEALTH_LISTEN$/),
  });
  await new Promise((resolve) => other.close(resolve));
});
