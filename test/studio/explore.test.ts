import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { readRow } from '../../ledger/rows.js';
import { brokenPromises } from '../oracle.js';
import { brief } from '../workflows/product.js';
import { type Scene, startScene } from '../workflows/scene.js';

vi.setConfig({ testTimeout: 200_000, hookTimeout: 200_000 });
let scene: Scene;
beforeAll(async () => {
  scene = await startScene({ studio: { jobSeconds: 60, concurrency: 2 } });
});
afterAll(() => scene?.close());

const rules: Record<string, object[]> = {
  none: [],
  reset_before: [{ effect: 'reset_before', operation: 'createMovie', calls: { to: 2 } }],
  reset_after: [{ effect: 'reset_after', operation: 'createMovie', calls: { to: 3 } }],
  reset_get: [{ effect: 'reset_after', operation: 'getMovie', calls: { to: 3 } }],
  status429: [{ effect: 'status', status: 429, retryAfter: 30, operation: 'createMovie', calls: { to: 2 } }],
  status429date: [{ effect: 'status', status: 429, retryAfter: { dateInSeconds: 90 }, operation: 'createMovie', calls: 1 }],
  status429none: [{ effect: 'status', status: 429, operation: 'createMovie', calls: 1 }],
  status500: [{ effect: 'status', status: 500, done: true, operation: 'createMovie', calls: { to: 2 } }],
  status400: [{ effect: 'status', status: 400, operation: 'createMovie', code: 'invalid_request', message: 'No gulls' }],
  status503get: [{ effect: 'status', status: 503, operation: 'getMovie', calls: { to: 4 } }],
  html: [{ effect: 'html', operation: 'createMovie', status: 502, calls: 1 }],
  html200: [{ effect: 'html', operation: 'createMovie', status: 200, done: true, calls: 1 }],
  truncate: [{ effect: 'truncate', operation: 'createMovie', calls: 1 }],
  truncate_get: [{ effect: 'truncate', operation: 'getMovie', calls: { to: 2 } }],
  garbage: [{ effect: 'garbage', operation: 'createMovie', calls: 1 }],
  garbage_types: [{ effect: 'garbage', kind: 'wrong_types', operation: 'getMovie', calls: { to: 2 } }],
  garbage_assets: [{ effect: 'garbage', kind: 'other_shape', operation: 'listAssets', calls: { to: 2 } }],
  garbage_download: [{ effect: 'garbage', operation: 'downloadAsset', calls: { to: 1 } }],
  truncate_download: [{ effect: 'truncate', operation: 'downloadAsset', calls: { to: 2 } }],
  stuck: [{ effect: 'stuck', at: 'generating' }],
  fail: [{ effect: 'fail', code: 'moderation', message: 'Not allowed' }],
  word: [{ effect: 'word', word: 'upscaling', calls: { to: 3 } }],
  regress: [{ effect: 'regress', calls: { from: 2, to: 3 } }],
  no_assets: [{ effect: 'no_assets' }],
  late_assets: [{ effect: 'late_assets', seconds: 600 }],
  expired_urls: [{ effect: 'expired_urls', calls: { to: 2 } }],
  wrong_ratio: [{ effect: 'wrong_movie', wrong: 'ratio' }],
  wrong_length: [{ effect: 'wrong_movie', wrong: 'length' }],
  wrong_black: [{ effect: 'wrong_movie', wrong: 'black' }],
  wrong_silent: [{ effect: 'wrong_movie', wrong: 'silent' }],
  wrong_empty: [{ effect: 'wrong_movie', wrong: 'empty' }],
  echo: [{ effect: 'echo' }],
};

test.for(Object.keys(rules))('%s', async (name) => {
  const started = performance.now();
  scene.studio.setFaults({ rules: rules[name]?.map((rule) => ({ ...rule, prompt: `take ${name}` })) } as never);
  const before = scene.studio.books().creates.length;
  const batch = await scene.making([brief(name), brief(`${name}-fine`)], { deadlineSeconds: 7200 });
  const result = await Promise.race([scene.result(batch), new Promise<string>((r) => setTimeout(() => r('TIMEOUT'), 60_000))]);
  const { rows: files } = await sql<{ file: string }>`PRAGMA database_list`.execute(scene.ledger.db);
  for (const key of [name, `${name}-fine`]) {
    const { state, money, reason, verdict, alarm, serviceStatus, polls, blocked, files: kept } = await readRow(scene.ledger, batch, key);
    console.log(JSON.stringify([key, result, { state, money, reason, verdict, alarm, serviceStatus, polls, blocked, files: kept.length }]));
  }
  const broken = await brokenPromises({ ledger: scene.ledger, books: scene.studio.books(), archiveFolder: join(dirname(files[0]?.file ?? ''), 'out') });
  console.log(name, 'creates', scene.studio.books().creates.length - before, 'broken', broken, Math.round(performance.now() - started));
});
