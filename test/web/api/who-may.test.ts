import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addPerson, removePerson } from '../../../ledger/access/people.js';
import { routes } from '../../../web/api/routes.js';
import { type ApiScene, type CallOptions, openApiScene, people, problemOf } from './api-scene.js';

let api: ApiScene;
let batch: string;
beforeEach(async () => {
  api = await openApiScene();
  batch = await api.scene.seal(['a', 'b'], { actor: { name: 'sam', roles: ['submitter'], channel: 'web' } });
});
afterEach(() => api.close());

const admin = { name: 'ada', roles: ['admin'], channel: 'terminal' } as const;
const everyone = Object.keys(people);

interface Entry {
  /** Who may, of those with a token: the batch is sam's. Everybody else is refused. */
  readonly who: readonly string[];
  readonly options?: (batch: string) => CallOptions | Promise<CallOptions>;
  /** Statuses of a call that is let through. */
  readonly through?: readonly number[];
}

const seers = ['sam', 'oli', 'fay', 'aud'];

/** Every route; one that is not in here fails. */
const table: Readonly<Record<string, Entry>> = {
  submitManifest: { who: ['sam', 'ole'], options: () => manifest, through: [201] },
  listBatches: { who: everyone },
  getBatch: { who: seers },
  listRows: { who: seers },
  getPlan: { who: seers },
  approvePlan: { who: ['fay'], options: approval },
  rejectPlan: { who: ['fay'], options: () => ({ json: { reason: 'too dear' } }) },
  pauseBatch: { who: ['oli', 'sam'], options: () => ({ json: {} }), through: [200, 409] },
  resumeBatch: { who: ['oli'], options: () => ({ json: {} }), through: [200, 409] },
  continueBatch: { who: ['oli'], options: () => ({ json: {} }), through: [200, 409] },
  limitBatch: { who: ['oli'], options: () => ({ json: { max_in_flight: 5 } }) },
  previewCancel: { who: seers, options: () => ({ json: { rows: 'all' } }) },
  cancelRows: { who: ['oli', 'sam'], options: () => ({ json: { rows: 'all', reason: 'no need' } }) },
  retryRows: { who: ['oli'], options: () => ({ json: { rows: 'all' } }), through: [409] },
  listResults: { who: seers },
  getResultsCsv: { who: seers },
  whoami: { who: everyone },
};

const manifest = {
  type: 'text/csv',
  body: 'id,prompt,duration_seconds,aspect_ratio\nx,A lighthouse at dusk with gulls,5,16:9\n',
};

async function approval(batchId: string): Promise<CallOptions> {
  const { planDigest, totalMinor } = await api.scene.batch(batchId);
  return { json: { digest: planDigest, amount: { amount_minor: totalMinor, currency: 'USD' } } };
}

async function callRoute(operationId: string, as: CallOptions): Promise<Response> {
  const route = routes.find((one) => one.operationId === operationId);
  if (!route) throw new Error(`No route ${operationId}`);
  // A campaign each: who attaches to a batch that they may not see is told that.
  const query = operationId === 'submitManifest' ? `?name=${as.as ?? 'autumn'}.csv&budget=acme` : '';
  const options = await table[operationId]?.options?.(batch);
  return api.call(route.path.replace('{batch}', batch) + query, { ...options, ...as });
}

describe('who may', () => {
  test('the table has every route of the interface', () => {
    expect(Object.keys(table).sort()).toEqual(routes.map(({ operationId }) => operationId).sort());
  });

  test.each(routes.map(({ operationId }) => operationId))('%s', async (operationId) => {
    const { who = [], through = [200] } = table[operationId] ?? {};
    // Those who may last: what they do ends the state that the others are refused in.
    for (const as of everyone.filter((name) => !who.includes(name))) {
      const response = await callRoute(operationId, { as });
      expect([as, response.status, await problemOf(response)]).toEqual([as, 403, 'not-allowed']);
    }
    for (const as of who) {
      const { status } = await callRoute(operationId, { as });
      expect([as, [...through, 200]]).toEqual([as, expect.arrayContaining([status])]);
    }
  });

  test.each(routes.map(({ operationId }) => operationId))('%s: by a token of somebody only', async (operationId) => {
    const { deps, scene } = api;
    const ends = { name: 'eva', roles: ['submitter', 'operator', 'finance'], actor: admin } as const;
    const before = { nowMs: scene.nowMs, tokenExpiresAtMs: scene.nowMs + 1 };
    const { token } = await addPerson(deps.ledger, { ...ends, ...before });
    scene.nowMs += 1;
    const refusals = [
      [await callRoute(operationId, { as: null }), 'unauthorized'],
      [await callRoute(operationId, { token: 'glt_nobody' }), 'unauthorized'],
      [await callRoute(operationId, { token: `glt_${'x'.repeat(32)}` }), 'unauthorized'],
      [await callRoute(operationId, { token }), 'token-expired'],
    ] as const;
    await removePerson(deps.ledger, { name: 'fay', actor: admin, nowMs: scene.nowMs });
    for (const [response, problem] of [...refusals, [await callRoute(operationId, { as: 'fay' }), 'person-removed']]) {
      const { status, headers } = response as Response;
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="greenlight"']);
      expect(await problemOf(response as Response)).toBe(problem);
    }
    expect((await scene.batch(batch)).state).toBe('waiting');
  });

  test('a role that was taken away is gone at the next request', async () => {
    await api.deps.ledger.db.updateTable('people').set({ roles: '["auditor"]' }).where('name', '=', 'fay').execute();
    expect((await callRoute('approvePlan', { as: 'fay' })).status).toBe(403);
  });
});
