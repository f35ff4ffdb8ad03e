import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordDelivered } from '../../../ledger/progress/deliveries.js';
import { share } from '../../../operations/batch/share-links.js';
import { assetPath } from '../../../web/assets/assets.js';
import { createDesk } from '../../../web/create-desk.js';
import { brief, oli } from '../../ledger/scene.js';
import { type Browser, openDesk, type TestDesk } from './desk.js';

/** A desk with something behind each of its addresses, whose texts have these words wherever anybody can give some. */
export interface FullDesk {
  readonly desk: TestDesk;
  readonly dana: Browser;
  /** Each address that a browser can look at, by the pattern of the router. */
  readonly places: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

export async function openFullDesk(words: string): Promise<FullDesk> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-full-desk-'));
  const desk = await openDesk({ deps: { uploadsFolder: folder } });
  await desk.scene.fund('acme', 1_000_000);
  await desk.person('dana', 'finance', 'operator', 'submitter');
  await desk.person('lee', 'finance', 'operator');
  const dana = await desk.browser('dana');
  const batchId = await makeMovies(desk, words);
  await say(desk, { dana, batchId, words });
  const { token } = await share(desk.deps, { batchId, actor: oli, days: 7 });
  await desk.stranger().send(`/s/${token}/reviews`, { guest: words, redo: '0 good', note0: words });
  const upload = await bring(dana, '/uploads', {
    file: new File(
      [`id,prompt,duration,aspect ratio,${words}\n${words},${words},${words},21:09,${words}\n`],
      `${words}.csv`,
    ),
  });
  const movie = (await desk.scene.row(batchId, 'good')).movieId;
  const lines = [
    `${movie},7.00,USD,"${words.replaceAll('"', '""')}"`,
    `movie_strange,1.00,USD,"${words.replaceAll('"', '""')}"`,
  ];
  const invoice = await bring(dana, '/invoices', {
    fields: { number: words, from: '', until: '' },
    file: new File([['movie_id,amount,currency,description', ...lines].join('\n')], `${words}.csv`),
  });
  const [, shown = ''] = /name="shown" value="([^"]+)"/.exec(await dana.text(invoice)) ?? [];
  await dana.send(`${invoice}/book`, { shown });
  const parts = {
    batch: batchId,
    row: 'good',
    asset: 'asset_good',
    token,
    name: assetPath('desk.css').replace(/.*\//, ''),
    kind: 'sample.csv',
  };
  const pathOf = (route: string) =>
    route
      .replace(/^GET \/uploads\/:id/, upload)
      .replace(/^GET \/invoices\/:id/, invoice)
      .replace(/^GET /, '')
      .replace(/:(\w+)/g, (_, part: string) => parts[part as keyof typeof parts] ?? 'none');
  const gets = createDesk(desk.deps).routes.map(({ method, path }) => `${method} ${path}`);
  const routes = [...new Set(gets)].filter((route) => route.startsWith('GET') && !/\/api\/v1/.test(route));
  const places = new Map(routes.map((route) => [route, pathOf(route) + (queries[route] ?? '')]));
  places.set('an unknown order', `/batches/${batchId}/rows/unknown`);
  places.set('a row that failed', `/batches/${batchId}/rows/bad`);
  return {
    ...{ desk, dana, places },
    async close() {
      await desk.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const level = '?path=acme&rehearsal=yes';
const queries: Readonly<Record<string, string>> = {
  ...{ 'GET /budgets/level': level, 'GET /budgets/days.csv': level, 'GET /budgets/stop': level },
  ...{ 'GET /budgets/start': level, 'GET /budgets/limit': `${level}&limit=7` },
};

/** Of a sheet and of a service: movies that are there, failed, unknown, in progress and not sent. */
async function makeMovies({ scene, deps }: TestDesk, words: string): Promise<string> {
  const rows = ['good', 'bad', 'unknown', 'running', 'waiting'].map((key) =>
    brief(key, { prompt: words, style: words }),
  );
  const markets = rows.map(() => words);
  const batchId = await scene.make(rows, { manifest: `${words}.csv`, markets });
  await scene.order(batchId, 'good');
  await scene.look(batchId, 'good', 'completed');
  const file = { assetId: 'asset_good', type: 'final_video', path: `${batchId}/good/final.mp4` };
  await recordDelivered(deps.ledger, {
    ...{ batchId, rowKey: 'good', files: [{ ...file, sizeBytes: 4, sha256: 'ab'.repeat(32) }] },
    ...{ verdict: `needs review: ${words}`, nowMs: scene.nowMs },
  });
  await scene.order(batchId, 'bad');
  await scene.look(batchId, 'bad', 'failed', { error: { code: words, message: words } });
  await scene.admit(batchId, 'unknown');
  await scene.answer(batchId, 'unknown', { kind: 'broken' });
  await deps.ledger.db
    .updateTable('rows')
    .set({ state: 'unknown', alarm: words })
    .where('row_key', '=', 'unknown')
    .execute();
  await scene.order(batchId, 'running');
  await scene.look(batchId, 'running', 'rendering', { percent: 7, stage: words });
  return batchId;
}

/** What people say in forms. */
async function say(desk: TestDesk, { dana, batchId, words }: { dana: Browser; batchId: string; words: string }) {
  const waiting = await desk.scene.seal([brief('other', { prompt: words })], { campaign: 'other' });
  await (await desk.browser('lee')).send(`/batches/${waiting}/reject`, { reason: words });
  await dana.send(`/batches/${batchId}/pause`, { reason: words });
  await dana.send('/budgets/stop', { path: 'acme', reason: words });
  await dana.send(`/batches/${batchId}/rows/unknown/resolve`, { resolution: 'not_created', evidence: words });
  await dana.send(`/batches/${batchId}/gallery/reviews`, { redo: '0 good', note0: words });
}

interface Brought {
  readonly file: File;
  readonly fields?: Readonly<Record<string, string>>;
}

/** The address of what was brought. */
async function bring(browser: Browser, path: string, { file, fields = {} }: Brought): Promise<string> {
  const form = new FormData();
  form.append('token', await browser.token());
  for (const [name, text] of Object.entries(fields)) form.append(name, text);
  form.append('manifest', file);
  const answer = await browser.upload(path, form);
  if (answer.status !== 303) throw new Error(`Cannot bring ${file.name}: ${answer.status} ${await answer.text()}`);
  return answer.headers.get('location') ?? '';
}
