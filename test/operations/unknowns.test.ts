import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveUnknown } from '../../operations/unknowns.js';
import { brief, movieId } from '../ledger/scene.js';
import { everybody, type Office, openOffice } from './office.js';

let office: Office;
let batchId: string;
beforeEach(async () => {
  office = await openOffice();
  const { scene } = office;
  await scene.fund('acme', 100_000);
  batchId = await scene.make(['a', 'b']);
  await scene.admit(batchId, 'a');
  await scene.answer(batchId, 'a', { kind: 'broken' });
});
afterEach(() => office.close());

const at = '2026-11-28T12:00:00Z';
const shown = (id: string, over: object = {}) => ({
  ...{ id, status: 'generating', prompt: brief('a').prompt, duration_seconds: 5, aspect_ratio: '16:9' },
  ...{ created_at: at, updated_at: at },
  ...over,
});
const says = (code: string, status: number) =>
  Response.json({ error: { code, message: 'words', request_id: 'req_7' } }, { status });

function created(id: string) {
  const resolution = { kind: 'created', movieId: id } as const;
  return resolveUnknown(office.deps, {
    ...{ batchId, rowKey: 'a', resolution, actor: everybody },
    movieApi: async () => office.api,
  });
}

async function stillUnknown(): Promise<void> {
  expect(await office.scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', movieId: null, money: 'held' });
  expect(await office.deps.ledger.db.selectFrom('proposals').selectAll().execute()).toEqual([]);
}

test('a movie that somebody names is asked for, and followed where the service shows it', async () => {
  const id = movieId();
  office.answer(() => Response.json(shown(id)));
  expect(await created(id)).toMatchObject({ resolved: { state: 'resolved' } });
  expect(office.requests.at(-1)).toBe(`GET /movies/${id}`);
  expect(await office.scene.row(batchId, 'a')).toMatchObject({ state: 'running', movieId: id, money: 'posted' });
});

test.each([400, 404, 410, 422])(
  'a movie that the service does not have (%i) is refused with its words',
  async (status) => {
    office.answer(() => says('not_found', status));
    await expect(created('movie_typo')).rejects.toThrow(
      `the service has no movie movie_typo (${status} not_found req_7); check the id`,
    );
    await stillUnknown();
  },
);

test.each([401, 429, 500, 503])('where the service cannot say it (%i) nothing is believed', async (status) => {
  office.answer(() => says('word', status));
  await expect(created('movie_1')).rejects.toMatchObject({ name: 'MovieApiError', status });
  await stillUnknown();
});

test.each([
  ['another prompt', { prompt: 'A cat on a roof' }],
  ['another length', { duration_seconds: 30 }],
  ['another ratio', { aspect_ratio: '9:16' }],
])('a movie of %s is refused', async (_, over) => {
  const id = movieId();
  office.answer(() => Response.json(shown(id, over)));
  await expect(created(id)).rejects.toThrow('made from another brief');
  await stillUnknown();
});

test('the movie of another order is refused', async () => {
  const id = await office.scene.order(batchId, 'b');
  office.answer(() => Response.json(shown(id)));
  await expect(created(id)).rejects.toThrow(`${id} is the movie of ${batchId} b`);
  await stillUnknown();
});

test('what is no movie id is not asked for', async () => {
  await expect(created('asset_1')).rejects.toThrow('is not a movie id');
  expect(office.requests).toEqual([]);
});
