import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../home/free-port.js';
import { expectPromisesKept, type Home, makeHome, threeBriefs } from './home.js';
import { serveMovies, serviceAt } from './service.js';

const minutes = 60_000;
const run = (sheet: string) => ['run', sheet, '--budget', '20USD', '--yes'];

describe('events of the movie service', () => {
  test(
    'of the own studio come to the same address at every start, without being set up',
    { timeout: 6 * minutes },
    async () => {
      const home = await makeHome();
      const sheet = await home.sheet(threeBriefs);
      expect(await home.run(run(sheet))).toMatchObject({ code: 0 });
      await home.sheet(`${threeBriefs}quay,"An empty quay, a lamp swings",5,16:9\n`);
      expect(await home.run(run(sheet))).toMatchObject({ code: 0 });

      const addresses = await addressesOf(home);
      expect(addresses).toHaveLength(4);
      expect(new Set(addresses).size).toBe(1);
      expect(addresses[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhooks$/);
      const books = await home.books();
      // Only what is signed as this home expects is answered as delivered.
      const delivered = books.deliveries.filter(({ state }) => state === 'delivered');
      expect(new Set(delivered.map(({ movieId }) => movieId)).size).toBe(4);
      await expectPromisesKept(home, books);
    },
  );

  test(
    'of a service of one’s own end its movies, where polling would be an hour away',
    { timeout: 6 * minutes },
    async () => {
      const home = await makeHome();
      const secret = `whsec_${btoa('between us and the service')}`;
      const service = await serveMovies({ jobSeconds: 6, webhooks: { secret, allowLoopback: true } });
      const port = await freePort();
      await writeFile(
        join(home.folder, 'greenlight.config.yaml'),
        'polling: { floorMs: 3600000, ceilingMs: 3600000 }\n',
      );
      const ended = await home.run(run(await home.sheet(threeBriefs)), {
        ...serviceAt(service.port),
        GREENLIGHT_WEBHOOK_URL: `http://127.0.0.1:${port}/hooks/greenlight`,
        GREENLIGHT_WEBHOOK_LISTEN: String(port),
        GREENLIGHT_WEBHOOK_SECRET: secret,
      });
      expect(ended.code, ended.stderr).toBe(0);
      expect(new Set(await addressesOf(home))).toEqual(new Set([`http://127.0.0.1:${port}/hooks/greenlight`]));
      const books = service.studio.books();
      expect(books.requests.filter(({ operation }) => operation === 'getMovie')).toHaveLength(3);
      await expectPromisesKept(home, books);
    },
  );
});

/** Where events of each order were asked to be sent. */
async function addressesOf(home: Home): Promise<readonly unknown[]> {
  const ledger = await home.ledger();
  const orders = await ledger.db.selectFrom('orders').select('request_body').execute();
  return orders.map(({ request_body }) => (JSON.parse(request_body) as { webhook_url?: string }).webhook_url);
}
