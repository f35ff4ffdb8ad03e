import { describe, expect, test } from 'vitest';
import { expectPromisesKept, makeHome, threeBriefs } from './home.js';
import { serveMovies, serviceAt } from './service.js';

const minutes = 60_000;

interface StatusJson {
  readonly batch: string;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly stops: readonly { readonly kind: string }[];
}

describe('a second terminal, while run is on', () => {
  test('sees, pauses, cancels a row and resumes', { timeout: 5 * minutes }, async () => {
    const home = await makeHome();
    const service = await serveMovies({ jobSeconds: 20 });
    const env = serviceAt(service.port);
    const sheet = await home.sheet(threeBriefs);
    const run = home.start(['run', sheet, '--budget', '20USD', '--yes', '--max-in-flight', '1'], env);
    await home.until(run, ({ rows }) => rows.running === 1);

    const paused = await home.run(['pause', 'sheet-1', '--reason', 'wrong logo'], env);
    expect(paused.code, paused.stderr).toBe(0);
    const status = await home.json<StatusJson>(['status', 'sheet-1'], { env });
    expect(status).toMatchObject({ batch: 'sheet-1', status: 'making', stops: [{ kind: 'paused' }] });
    const noReason = await home.run(['cancel', 'sheet-1', 'ferry'], env);
    expect(noReason.code, noReason.stderr).toBe(2);
    const canceled = await home.run(['cancel', 'sheet-1', 'ferry', '--reason', 'not needed'], env);
    expect(canceled.code, canceled.stderr).toBe(0);
    const resumed = await home.run(['resume', 'sheet-1'], env);
    expect(resumed.code, resumed.stderr).toBe(0);

    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(1);
    const books = service.studio.books();
    expect(books.creates).toHaveLength(2);
    const { db } = await home.ledger();
    const rows = await db.selectFrom('rows').select(['row_key', 'state']).orderBy('position').execute();
    expect(rows.map(({ row_key, state }) => `${row_key} ${state}`)).toEqual([
      'lighthouse delivered',
      'harbour delivered',
      'ferry canceled',
    ]);
    await expectPromisesKept(home, books);
  });

  test('approves what another one submitted to a worker', { timeout: 5 * minutes }, async () => {
    const home = await makeHome();
    const worker = home.start(['worker']);
    await home.until(worker, () => /^Working: /m.test(worker.stderr()));
    const submitted = await home.json<StatusJson>(['submit', await home.sheet(threeBriefs), '--budget', '20USD']);
    expect(submitted).toMatchObject({ batch: 'sheet-1', status: 'waiting' });
    expect(await home.json<unknown[]>(['doctor'])).toContainEqual({
      ...{ part: 'workers', ok: true, words: expect.stringMatching(/^1 running, last seen \d+ s ago$/) },
    });
    const unread = await home.run(['approve', 'sheet-1', '--yes', '--digest', '0123456789ab']);
    expect(unread.code, unread.stderr).toBe(3);
    const approved = await home.run(['approve', 'sheet-1', '--yes']);
    expect(approved.code, approved.stderr).toBe(0);
    await home.until(worker, ({ state }) => state === 'closed');
    worker.signal('SIGTERM');
    expect((await worker.ended).signal).toBeNull();
    expect(await home.aliveParts()).toEqual([]);
    const books = await home.books();
    expect(books.creates).toHaveLength(3);
    await expectPromisesKept(home, books);
  });

  test('approves while nobody runs: the next run goes on at once', { timeout: 2 * minutes }, async () => {
    const home = await makeHome();
    const args = ['run', await home.sheet(threeBriefs), '--budget', '20USD'];
    const asked = await home.run(args);
    expect(asked.code, asked.stderr).toBe(3);
    const approved = await home.run(['approve', 'sheet-1', '--yes']);
    expect(approved.code, approved.stderr).toBe(0);
    const { counts } = await home.json<StatusJson>(args);
    expect(counts).toMatchObject({ delivered: 3 });
    await expectPromisesKept(home, await home.books());
  });

  test('hears why nothing moves while the service is away', { timeout: 2 * minutes }, async () => {
    const home = await makeHome();
    const service = await serveMovies();
    const env = serviceAt(service.port);
    const worker = home.start(['worker'], env);
    await home.until(worker, () => /^Working: /m.test(worker.stderr()));
    await service.close();
    const submit = home.start(['submit', await home.sheet(threeBriefs), '--budget', '20USD'], env);
    const away = /prices could not be asked: .*ECONNREFUSED/;
    await home.until(submit, () => new RegExp(`^No price yet: ${away.source}`, 'm').test(submit.stderr()));
    const status = await home.json<{ held_up: unknown }>(['status', 'sheet-1'], { env });
    expect(status.held_up).toEqual([expect.stringMatching(away)]);
    expect((await home.run(['status', 'sheet-1'], env)).stdout).toMatch(new RegExp(`waits for +${away.source}`));
    submit.signal('SIGINT');
    await submit.ended;
    worker.signal('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    const ended = await home.json<{ held_up: unknown }>(['status', 'sheet-1'], { env });
    expect(ended.held_up).toEqual([expect.stringMatching(/^no worker is running.*; next: greenlight worker/)]);
  });

  test(
    'Ctrl-C once says how to go on and ends with 130; the same command goes on',
    { timeout: 5 * minutes },
    async () => {
      const home = await makeHome();
      const service = await serveMovies({ jobSeconds: 10 });
      const env = serviceAt(service.port);
      const args = ['run', await home.sheet(threeBriefs), '--budget', '20USD', '--yes'];
      const run = home.start(args, env);
      await home.until(run, ({ rows }) => rows.running === 3);
      run.signal('SIGINT');
      const left = await run.ended;
      expect(left.code, left.stderr).toBe(130);
      expect(left.stderr).toMatch(
        /Stopping: no new orders\. .*3 movies continue at the service, already paid\. The same command continues\./,
      );
      expect(await home.aliveParts()).toEqual([]);

      const again = await home.run(args, env);
      expect(again.code, again.stderr).toBe(0);
      const books = service.studio.books();
      expect(books.creates).toHaveLength(3);
      await expectPromisesKept(home, books);
    },
  );
});
