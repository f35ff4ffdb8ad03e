import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { countRows } from '../../../ledger/batches/rows.js';
import { openLedger } from '../../../ledger/ledger.js';
import { keepStudio, serviceKey } from '../../fleet/parts.js';
import { fleetDatabase } from '../../fleet/postgres-server.js';
import { booksIn, type Command, type Environment, type Home, makeHome } from '../home.js';
import { peopleOf } from '../people.js';
import { serviceAt } from '../service.js';
import { expectMade, rowCount, sheet, sweep } from './sweep.js';

/** Who dies: all, the worker alone, a part of it, or the database, which comes back as after a power cut. */
const victims = ['all', 'worker', 'temporal', 'studio', 'postgres', 'postgres'] as const;

/**
 * One sheet that was handed over to a worker whose ledger is on PostgreSQL, killed again and again: it is started anew,
 * as by systemd.
 *
 * @param most kills; a sheet that is made before them is done.
 * @returns whom it killed.
 */
export async function killWorkerUntilMade(serverUrl: string, seed: number, most: number): Promise<readonly string[]> {
  const database = await fleetDatabase(serverUrl);
  const ledger = await openLedger({ url: database.url, migrate: true, onOutage: () => undefined });
  onTestFinished(() => ledger.close());
  const home = await makeHome();
  const studio = await keepStudio(home, 2);
  const env = { GREENLIGHT_DATABASE_URL: database.url, ...serviceAt(studio.port, serviceKey) };
  const start = () => home.start(['worker'], env);
  const first = start();
  await isWorking(first);
  const batchId = await approvedBatch(home, env);
  const waiting = [first];
  const { killed, command } = await sweep(
    {
      victims,
      start: () => waiting.pop() ?? start(),
      async until(worker, isSo) {
        for (let over = false; ;) {
          const { state } = await ledger.db
            .selectFrom('batches')
            .select('state')
            .where('batch_id', '=', batchId)
            .executeTakeFirstOrThrow();
          const seen = { state, rows: await countRows(ledger, batchId) };
          if (isSo(seen)) return seen;
          if (over) throw new Error(`The worker ended first: ${JSON.stringify(seen)}`);
          over = await Promise.race([worker.ended.then(() => true), sleep(20, false)]);
        }
      },
      async kill(worker, victim) {
        if (victim === 'all' || victim === 'worker') {
          worker.signal('SIGKILL');
          await worker.ended; // else its last commit looks as if it went on
        }
        if (victim === 'all' || victim === 'temporal') await home.killPart('temporal');
        if (victim === 'all' || victim === 'studio') await studio.kill(0);
        if (victim === 'all' || victim === 'postgres') await database.kill(0);
      },
    },
    { seed, most },
  );
  expect(await countRows(ledger, batchId)).toEqual({ delivered: rowCount });
  await isWorking(command);
  command.signal('SIGTERM');
  const { code, stderr } = await command.ended;
  expect(code, stderr).toBe(0);
  await studio.stop();
  await expectMade(home, { ledger, books: await booksIn(join(home.folder, 'studio')) });
  return killed;
}

async function isWorking(worker: Command): Promise<void> {
  await vi.waitFor(() => expect(worker.stderr()).toMatch(/^Working: /m), { timeout: 120_000 });
}

async function approvedBatch(home: Home, env: Environment): Promise<string> {
  const { ana, fin } = await peopleOf(home, env);
  const { batch } = await home.json<{ readonly batch: string }>(
    ['submit', await home.sheet(sheet), '--budget', 'sheet'],
    { env: { ...env, ...ana } },
  );
  const approved = await home.run(['approve', batch, '--yes'], { ...env, ...fin });
  expect(approved.code, approved.stderr).toBe(0);
  return batch;
}
