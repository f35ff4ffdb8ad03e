import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatMoney } from '../../../domain/money.js';
import { type ApiScene, openApiScene, problemOf } from './api-scene.js';

let api: ApiScene;
beforeEach(async () => {
  api = await openApiScene();
});
afterEach(() => api.close());

const sheet = 'id,prompt,duration_seconds,aspect_ratio\nx,A lighthouse at dusk with gulls,5,16:9\n';
const sam = { name: 'sam', roles: ['submitter'], channel: 'web' } as const;

function submit(
  body: NonNullable<RequestInit['body']>,
  query = '?name=autumn.csv&budget=acme',
  type: string | null = 'text/csv',
) {
  return api.call(`/batches${query}`, { as: 'sam', body, ...(type !== null && { type }) });
}

async function left(): Promise<readonly string[]> {
  return readdir(join(api.folder, 'uploads')).catch(() => []);
}

describe('submitting', () => {
  test('stores a batch, says where it is, and keeps nothing of the upload', async () => {
    const response = await submit(sheet);
    const { batch, attached, told } = (await response.json()) as Record<string, never>;
    expect([response.status, response.headers.get('location')]).toEqual([201, '/batches/autumn-1']);
    expect({ batch, attached, told }).toMatchObject({
      ...{ attached: false, told: true },
      batch: { batch: 'autumn-1', campaign: 'autumn', state: 'preparing', submitted_by: 'sam', budget: 'acme' },
    });
    expect(await left()).toEqual([]);
  });

  test('the same rows again, while their batch is open, are that batch', async () => {
    await submit(sheet);
    const again = await submit(sheet);
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ attached: true, batch: { batch: 'autumn-1' } });
  });

  test('a form brings the files that its rows name; they stay until they were uploaded', async () => {
    const form = new FormData();
    form.set('manifest', new File([`${sheet.trim().replace('\n', ',reference_1\n')},gull.txt\n`], 'birds.csv'));
    form.set('reference', new File(['a gull'], 'gull.txt'));
    const response = await submit(form, '?budget=acme', null);
    expect([response.status, await response.clone().json()]).toMatchObject([201, { batch: { campaign: 'birds' } }]);
    expect(await left()).toHaveLength(1);
  });

  test('an error in the sheet is told by its cell, and nothing is stored', async () => {
    const response = await submit(sheet.replace('16:9', '21:9'));
    expect(response.status).toBe(422);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      ...{ type: 'urn:greenlight:problem:invalid-manifest', findings_total: 1 },
      findings: [{ severity: 'error', row: 2, column: 'D', field: 'aspect_ratio' }],
    });
    expect(await left()).toEqual([]);
    expect(await (await api.call('/batches')).json()).toEqual({ data: [], next: null });
  });

  test.each([
    ['no name', sheet, '?budget=acme', 'text/csv', 400],
    ['a name that is a path', sheet, '?name=../../x.csv', 'text/csv', 400],
    ['a name of dots', sheet, '?name=..', 'text/csv', 400],
    ['an empty body', '', '?name=x.csv', 'text/csv', 400],
    ['another type', sheet, '?name=x.csv', 'image/png', 415],
    ['a query that is not known', sheet, '?name=x.csv&colour=red', 'text/csv', 400],
    ['a number that is none', sheet, '?name=x.csv&canary=', 'text/csv', 400],
    ['a form without a boundary', sheet, '', 'multipart/form-data', 400],
    ['a form that ends too early', '--b\r\nContent-Dispo', '', 'multipart/form-data; boundary=b', 400],
    ['a path without a budget', sheet, '?name=x.csv&budget=nobody', 'text/csv', 409],
  ])('%s is refused, and nothing is left', async (_, body, query, type, status) => {
    const response = await submit(body, query, type);
    expect([response.status, (await response.json()) as object]).toMatchObject([status, { status }]);
    expect(await left()).toEqual([]);
  });

  test('a reference beside the server is not read', async () => {
    const response = await submit(`${sheet.trim().replace('\n', ',reference_1\n')},/etc/hostname\n`);
    expect(await problemOf(response)).toBe('invalid-manifest');
  });
});

describe('approving', () => {
  const json = async (batch: string, over: object = {}) => {
    const { planDigest, totalMinor } = await api.scene.batch(batch);
    return { digest: planDigest, amount: { amount_minor: totalMinor, currency: 'USD', ...over } };
  };

  test('takes the plan that was read; repeated, it answers with the first decision', async () => {
    const batch = await api.scene.seal(['a', 'b'], { actor: sam });
    const plan = (await (await api.call(`/batches/${batch}/plan`, { as: 'fay' })).json()) as Record<string, never>;
    expect(plan).toMatchObject({
      total: { amount_minor: 200, currency: 'USD', decimal: '2.00' },
      levels: [{ path: 'acme', limit: { decimal: '1000.00' }, room: { decimal: '1000.00' } }],
      approvers: { you: true, others: [] },
    });
    const approval = await json(batch);
    const first = await api.call(`/batches/${batch}/approve`, { as: 'fay', json: approval });
    const again = await api.call(`/batches/${batch}/approve`, { as: 'fay', json: approval });
    expect(await first.json()).toMatchObject({ decision: { kind: 'approved', by: 'fay' }, repeated: false });
    expect(await again.json()).toMatchObject({ decision: { kind: 'approved', by: 'fay' }, repeated: true });
  });

  test.each([
    ['another amount', { amount_minor: 199 }],
    ['another currency', { currency: 'EUR' }],
  ])('%s decides nothing', async (_, over) => {
    const batch = await api.scene.seal(['a', 'b'], { actor: sam });
    const response = await api.call(`/batches/${batch}/approve`, { as: 'fay', json: await json(batch, over) });
    expect([response.status, await problemOf(response)]).toEqual([409, 'other-plan']);
    expect((await api.scene.batch(batch)).state).toBe('waiting');
  });

  test('another digest, and a beginning of the right one, decide nothing', async () => {
    const batch = await api.scene.seal(['a'], { actor: sam });
    const { digest, ...rest } = await json(batch);
    const call = (given: string) =>
      api.call(`/batches/${batch}/approve`, { as: 'fay', json: { digest: given, ...rest } });
    expect(await problemOf(await call('0'.repeat(64)))).toBe('other-plan');
    expect(await problemOf(await call(String(digest).slice(0, 12)))).toBe('invalid-request');
    expect((await api.scene.batch(batch)).state).toBe('waiting');
  });
});

describe('what is read', () => {
  test('counts sum to the rows, and pages to the whole', async () => {
    const batch = await api.scene.make(['a', 'b', 'c', 'd', 'e'], { actor: sam });
    await api.scene.deliver(batch, 'b');
    const { rows, waiting } = (await (await api.call(`/batches/${batch}`)).json()) as {
      rows: { in_sheet: number; by_state: Record<string, number> };
      waiting: object[];
    };
    expect(Object.values(rows.by_state).reduce((sum, count) => sum + count, 0)).toBe(rows.in_sheet);
    expect(waiting).toMatchObject([{ reason: 'turn', rows: 4, detail: 'waiting 4: queued, ordered in turn' }]);
    for (const list of [`/batches/${batch}/rows`, `/batches/${batch}/results`]) {
      const ids: string[] = [];
      for (let cursor = ''; ;) {
        const page = (await (await api.call(`${list}?limit=2${cursor}`)).json()) as Page;
        ids.push(...page.data.map(({ id }) => id));
        if (page.next === null) break;
        cursor = `&cursor=${page.next}`;
      }
      expect(ids).toEqual(['a', 'b', 'c', 'd', 'e']);
    }
    const found = (await (await api.call(`/batches/${batch}/rows?state=delivered&state=lost`)).json()) as Page;
    expect(found.data.map(({ id }) => id)).toEqual(['b']);
  });

  test('the list of batches goes on where a page ended', async () => {
    for (const campaign of ['one', 'two', 'three']) await api.scene.seal([campaign], { campaign, actor: sam });
    const first = (await (await api.call('/batches?limit=2')).json()) as Page;
    const rest = (await (await api.call(`/batches?limit=2&cursor=${first.next}`)).json()) as Page;
    expect([...first.data, ...rest.data].map(({ batch }) => batch).sort()).toEqual(['one-1', 'three-1', 'two-1']);
    expect(rest.next).toBeNull();
    expect((await api.call('/batches?cursor=nonsense')).status).toBe(400);
  });

  test.each([
    ['JPY', 1_234, '1234', '1,234 JPY'],
    ['BHD', 1_234, '1.234', '1.234 BHD'],
    ['USD', 123_456, '1234.56', '1,234.56 USD'],
  ])('an amount in %s is the one that the command line prints', async (currency, amountMinor, decimal, printed) => {
    const { db } = api.deps.ledger;
    const batch = await api.scene.seal(['a'], { actor: sam, amountMinor });
    await db.updateTable('batches').set({ currency }).where('batch_id', '=', batch).execute();
    const { money } = (await (await api.call(`/batches/${batch}`)).json()) as { money: Record<string, object> };
    expect(money.estimated).toEqual({ amount_minor: amountMinor, currency, decimal });
    expect(formatMoney({ amountMinor, currency }).replaceAll(',', '')).toBe(`${decimal} ${currency}`);
    expect(formatMoney({ amountMinor, currency })).toBe(printed);
  });

  test('results.csv is the sheet with what became of it', async () => {
    const batch = await api.scene.make(['a'], { actor: sam });
    await api.scene.deliver(batch, 'a');
    const response = await api.call(`/batches/${batch}/results.csv`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="spring-1.csv"');
    expect((await response.text()).split('\r\n')[1]).toContain('delivered');
  });

  test('no read changes a table', async () => {
    const batch = await api.scene.make(['a'], { actor: sam });
    const before = await everything();
    for (const path of ['', '/rows', '/plan', '/results', '/results.csv']) {
      for (const method of ['GET', 'HEAD']) {
        expect((await api.call(`/batches/${batch}${path}`, { method })).status).toBe(200);
      }
    }
    await api.call('/batches');
    await api.call('/whoami');
    await api.call(`/batches/${batch}/cancel-preview`, { json: { rows: 'all' } });
    expect(await everything()).toEqual(before);
  });
});

async function everything(): Promise<unknown> {
  const { db } = api.deps.ledger;
  const tables = await db.introspection.getTables();
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      await db
        .selectFrom(name as 'batches')
        .selectAll()
        .execute(),
    ]),
  );
}

describe('the form of requests', () => {
  test.each([
    ['an address that is not there', '/nothing', {}, 404, 'not-found'],
    ['a batch that is not there', '/batches/none', {}, 404, 'unknown-batch'],
    ['another method', '/batches/none', { method: 'DELETE' }, 405, 'method-not-allowed'],
    [
      'a form where JSON is meant',
      '/batches/none/pause',
      { type: 'text/plain', body: '{}' },
      415,
      'unsupported-media-type',
    ],
    ['a body that is no JSON', '/batches/none/pause', { type: 'application/json', body: '{' }, 400, 'invalid-request'],
    ['a member that is not known', '/batches/none/pause', { json: { because: 'x' } }, 400, 'invalid-request'],
    [
      'a body that is too large',
      '/batches/none/pause',
      { json: { reason: 'x'.repeat(1_100_000) } },
      413,
      'payload-too-large',
    ],
    ['a NUL in the path', '/batches/%00', {}, 400, 'invalid-request'],
  ] as const)('%s', async (_, path, options, status, problem) => {
    const response = await api.call(path, options);
    expect([response.status, await problemOf(response)]).toEqual([status, problem]);
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  });

  test('a cookie opens nothing', async () => {
    expect((await api.call('/whoami', { as: null })).status).toBe(401);
  });

  test('the document and its page are there for everybody', async () => {
    const document = (await (await api.call('/openapi.json', { as: null })).json()) as {
      openapi: string;
      paths: object;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/batches/{batch}/approve');
    const page = await api.call('/docs', { as: null });
    expect(await page.text()).toContain('<h2>Approve a plan</h2>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

interface Page {
  readonly data: readonly { readonly id: string; readonly batch: string }[];
  readonly next: string | null;
}
