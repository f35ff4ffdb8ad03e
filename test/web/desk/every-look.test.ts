import { afterEach, expect, test } from 'vitest';
import { createDesk } from '../../../web/create-desk.js';
import { type FullDesk, openFullDesk } from './full-desk.js';

let full: FullDesk;
afterEach(() => full.close());

/** Its answer goes on for as long as its reader stays. */
const endless = 'GET /stream';
/** Whoever is signed in is sent on. */
const sentOn = ['GET /sign-in'];

async function contents() {
  const { db } = full.desk.deps.ledger;
  const all: Record<string, unknown> = {};
  for (const { name } of await db.introspection.getTables())
    all[name] = await db
      .selectFrom(name as 'batches')
      .selectAll()
      .execute();
  return all;
}

test('a look at any address, of which there is something at each, changes no table', async () => {
  full = await openFullDesk('plain words');
  const { desk, dana, places } = full;
  const before = await contents();
  for (const [route, path] of places) {
    const answer = await dana.get(path);
    await answer.body?.cancel();
    expect([route, answer.status]).toEqual([route, sentOn.includes(route) ? 303 : 200]);
    await (await desk.stranger().get(path)).body?.cancel();
    for (const cookie of ['', dana.cookie]) {
      const headers = { host: '127.0.0.1:7337', ...(cookie && { cookie }) };
      const head = await createDesk(desk.deps).request(desk.url + path, { method: 'HEAD', headers });
      expect([route, await head.text()]).toEqual([route, '']);
    }
  }
  expect(places.size).toBeGreaterThan(35);
  expect(await contents()).toEqual(before);
  expect(desk.faults).toEqual([]);
});

test('markup is text at every address, wherever a sheet, a service, a reviewer or a colleague can give it', async () => {
  const evil = `<img src=x onerror=alert(1)>"'`;
  full = await openFullDesk(evil);
  const { dana, desk, places } = full;
  const shown: string[] = [];
  for (const [route, path] of places) {
    if (route === endless) continue;
    const answer = await dana.get(path);
    if (!/text\/html/.test(answer.headers.get('content-type') ?? '')) continue;
    const html = await answer.text();
    expect([route, html.includes('<img src=x'), html.includes('</html>')]).toEqual([route, false, true]);
    if (html.includes('&lt;img src=x')) shown.push(route);
  }
  // That it is there at all: a page that shows none of it would pass for nothing.
  expect(shown).toEqual(
    expect.arrayContaining([
      ...['GET /batches/:batch', 'GET /batches/:batch/plan', 'GET /batches/:batch/rows/:row', 'GET /audit'],
      ...['GET /batches/:batch/gallery', 'GET /s/:token', 'GET /uploads/:id', 'GET /invoices', 'GET /invoices/:id'],
      ...['GET /batches/:batch/certificate', 'GET /', 'an unknown order', 'a row that failed'],
    ]),
  );
  expect(desk.faults).toEqual([]);
});
