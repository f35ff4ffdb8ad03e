import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accepts } from '../../home/background-process.js';
import type { Config } from '../../home/config.js';
import { readConfig } from '../../home/config.js';
import { type Embedded, joinEmbedded } from '../../home/embedded.js';
import { freePort } from '../../home/free-port.js';
import { findHolders } from '../../home/holders.js';
import { openParts } from '../../home/services.js';
import { startTemporalServer } from '../../home/temporal/temporal-server.js';

let home: string;
let config: Config;
const joined: Embedded[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'greenlight-embedded-'));
  // A movie service of its own, so that only Temporal is embedded here.
  const env = { GREENLIGHT_HOME: home, MOVIE_API_URL: 'http://127.0.0.1:9/v1', MOVIE_API_KEY: 'none' };
  config = await readConfig({ env, cwd: home });
});
afterEach(async () => {
  for (const one of joined.splice(0)) await one.leave();
  await rm(home, { recursive: true, force: true });
});

async function joinHome(): Promise<Embedded> {
  const one = await joinEmbedded(config, { env: process.env, say: () => undefined, program: [] });
  joined.push(one);
  return one;
}

async function temporalPart() {
  const parts = await openParts(home);
  try {
    return parts.running('temporal');
  } finally {
    parts.close();
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
}

const portOf = (address: string | null) => Number(address?.split(':')[1]);

describe('embedded Temporal', () => {
  test(
    'starts a server that answers, keeps it for the second user, and stops it with the last',
    { timeout: 60_000 },
    async () => {
      const first = await joinHome();
      const connection = await Connection.connect({ address: first.temporalAddress ?? '' });
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      await connection.close();
      const part = await temporalPart();

      const second = await joinHome();
      expect(second.temporalAddress).toBe(first.temporalAddress);
      expect(await temporalPart()).toEqual(part);

      await first.leave();
      await second.leave();
      joined.length = 0;
      expect(await accepts(portOf(first.temporalAddress))).toBe(false);
      expect(await temporalPart()).toBeNull();
    },
  );

  test('a server that is killed comes back on the same port with what it knew', { timeout: 60_000 }, async () => {
    const { temporalAddress } = await joinHome();
    const before = await temporalPart();
    process.kill(before?.pid ?? 0, 'SIGKILL');
    await vi.waitFor(
      async () => {
        const after = await temporalPart();
        expect(after).not.toBeNull();
        expect(after?.pid).not.toBe(before?.pid);
        expect(after?.port).toBe(portOf(temporalAddress));
        expect(await accepts(portOf(temporalAddress))).toBe(true);
      },
      { timeout: 20_000, interval: 100 },
    );
  });

  test('a server whose port was taken meanwhile comes back on it, once it is free', { timeout: 60_000 }, async () => {
    const { temporalAddress } = await joinHome();
    const port = portOf(temporalAddress);
    const before = await temporalPart();
    process.kill(before?.pid ?? 0, 'SIGKILL');
    const other = createServer();
    await vi.waitFor(() => listen(other, port), { timeout: 20_000, interval: 1 });
    await sleep(2_500); // two turns of whoever looks after it: time enough to start elsewhere
    other.close();
    await vi.waitFor(async () => expect((await temporalPart())?.port).toBe(port), { timeout: 20_000, interval: 100 });
  });

  test(
    'servers that nobody recorded: one is taken over, the other stopped, and none is left at the end',
    { timeout: 60_000 },
    async () => {
      const unrecorded = async () =>
        startTemporalServer({ home, port: await freePort(), env: process.env, say: () => undefined });
      const pids = [await unrecorded(), await unrecorded()];
      expect(
        findHolders(home)
          .map(({ pid }) => pid)
          .sort(),
      ).toEqual([...pids].sort());

      const { leave } = await joinHome();
      const part = await temporalPart();
      expect(pids).toContain(part?.pid);
      expect(findHolders(home)).toEqual([part]);

      await leave();
      joined.length = 0;
      expect(findHolders(home)).toEqual([]);
    },
  );
});
