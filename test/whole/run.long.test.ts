import { describe, expect, test } from 'vitest';
import { scriptedService } from '../api/service.js';
import { type Home, makeHome, threeBriefs } from './home.js';

/** Starts of Temporal, the studio and a worker on a busy machine. */
const timeout = 5 * 60_000;

describe('greenlight run, as a person starts it', () => {
  test('orders nothing without a budget, beyond one, or without somebody to ask', { timeout }, async () => {
    const home = await makeHome();
    const sheet = await home.sheet(threeBriefs);
    const unfunded = await home.run(['run', sheet, '--yes']);
    expect(unfunded.stderr).toContain('no budget is defined on the path sheet');
    expect(unfunded.code).toBe(3);

    const small = await home.run(['run', sheet, '--yes', '--budget', '0.10USD']);
    expect(small.stderr).toMatch(/budget sheet has 0\.10 USD, the plan needs \d+\.\d\d USD/);
    expect(small.code).toBe(3);

    const unasked = await home.run(['run', sheet, '--budget', '500USD']);
    expect(unasked.stderr).toContain('sheet-1 continues: it has exactly these rows');
    expect(unasked.stderr).toContain('greenlight approve sheet-1 --yes');
    expect(unasked.code).toBe(3);
    expect((await home.books()).creates).toEqual([]);
    expect(await home.aliveParts()).toEqual([]);
  });

  test('names the open batch that is in its way', { timeout }, async () => {
    const home = await makeHome();
    await home.run(['run', await home.sheet(threeBriefs), '--budget', '500USD']);
    const other = await home.run(['run', await home.sheet(threeBriefs.replace('dusk', 'dawn')), '--yes']);
    expect(other.stderr).toMatch(/sheet-1 of the same campaign is waiting; wait for it, or greenlight cancel sheet-1/);
    expect(other.code).toBe(3);
  });

  test('says at Ctrl-C how to go on, and the same command does', { timeout }, async () => {
    const home = await makeHome();
    const rows = Array.from({ length: 12 }, (_, index) => `take-${index},A runner at dawn take ${index},5`);
    const sheet = await home.sheet(['id,prompt,duration', ...rows].join('\n'));
    const command = ['run', sheet, '--budget', '500USD', '--yes', '--max-in-flight', '2'];
    const first = home.start(command);
    await home.until(first, (seen) => (seen.rows.running ?? 0) > 0);
    first.signal('SIGINT');
    const interrupted = await first.ended;
    expect(interrupted.stderr).toMatch(
      /Stopping: no new orders\..*The same command continues\. Press Ctrl-C again to exit immediately\./,
    );
    expect(interrupted.code).toBe(130);
    expect(await home.aliveParts()).toEqual([]);

    const finished = await home.run(command);
    expect(finished.stderr).toContain('sheet-1 continues');
    expect(finished.stdout).toContain('12 of 12 rows delivered');
    expect(finished.code).toBe(0);
    expect((await home.books()).creates).toHaveLength(12);
  });

  test('leaves at once at the second Ctrl-C, and loses nothing', { timeout }, async () => {
    const home = await makeHome();
    const command = ['run', await home.sheet(threeBriefs), '--budget', '500USD', '--yes'];
    const first = home.start(command);
    await home.until(first, (seen) => (seen.rows.running ?? 0) > 0);
    first.signal('SIGINT');
    // Two signals at the same moment are one.
    await home.until(first, () => first.stderr().includes('Stopping'));
    first.signal('SIGINT');
    const left = await first.ended;
    expect(left.stderr).toContain('running the same command continues without duplicate orders');
    expect(left.code).toBe(130);
    expect((await home.run(command)).code).toBe(0);
    expect((await home.books()).creates).toHaveLength(3);
  });

  test('works with a second terminal: status, pause, resume, cancel', { timeout }, async () => {
    const home = await makeHome();
    const rows = Array.from({ length: 8 }, (_, index) => `take-${index},A runner at dawn take ${index},5`);
    const sheet = await home.sheet(['id,prompt,duration', ...rows].join('\n'));
    const running = home.start(['run', sheet, '--budget', '500USD', '--yes', '--max-in-flight', '1']);
    await home.until(running, (seen) => (seen.rows.running ?? 0) > 0);
    expect((await home.run(['pause', 'sheet-1'])).stderr).not.toContain('workers not told');
    const paused = await home.json<{ stops: { kind: string }[] }>(['status', 'sheet-1']);
    expect(paused.stops.map(({ kind }) => kind)).toEqual(['paused']);
    const cancel = await home.run(['cancel', 'sheet-1', 'take-6', 'take-7', '--reason', 'wrong logo']);
    expect(cancel.stdout).toContain('2 rows of sheet-1 canceled.');
    expect((await home.run(['resume', 'sheet-1'])).code).toBe(0);
    const ended = await running.ended;
    expect(ended.stdout).toContain('6 of 8 rows delivered, 2 canceled');
    expect(ended.stdout).toMatch(/take-6 take-7 {2}canceled: wrong logo, not charged/);
    expect(ended.code).toBe(1);
    expect((await home.books()).creates).toHaveLength(6);
  });
});

describe('a movie service that cannot be used', () => {
  test.each([
    ['refuses our key', 401, 'check MOVIE_API_KEY'],
    ['cannot be reached', null, 'check MOVIE_API_URL'],
  ])('because it %s is one line and exit code 4, and stores nothing', { timeout }, async (_why, status, words) => {
    const home = await makeHome();
    const service = await scriptedService((_request, response) => {
      const error = { code: 'unauthorized', message: 'unknown key', request_id: 'req_1' };
      response.writeHead(status ?? 500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    if (status === null) await service.close();
    try {
      const env = { MOVIE_API_URL: service.baseUrl, MOVIE_API_KEY: 'a-very-secret-key' };
      const sheet = await home.sheet(threeBriefs);
      for (const command of ['run', 'plan']) {
        const { stderr, code } = await home.run([command, sheet, '--budget', '500USD'], env);
        expect(lastLine(stderr)).toContain(words);
        expect(stderr).not.toContain('a-very-secret-key');
        expect(code).toBe(4);
      }
      expect(await batches(home)).toEqual([]);
    } finally {
      if (status !== null) await service.close();
    }
  });
});

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

async function batches(home: Home): Promise<readonly unknown[]> {
  return (await home.json<{ batches: readonly unknown[] }>(['status'])).batches;
}
