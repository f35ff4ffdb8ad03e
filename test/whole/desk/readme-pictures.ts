/**
 * Draws the pictures of the README: three pages of the desk, on a ledger that is made for them.
 *
 *   npx tsx test/whole/desk/readme-pictures.ts
 */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { Brief } from '../../../domain/brief.js';
import { brief } from '../../ledger/scene.js';
import { type Shown, showDesk } from './chromium.js';

const folder = fileURLToPath(new URL('../../../docs/images', import.meta.url));
const maxBytes = 120_000;
const window = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5, colorScheme: 'light' } as const;

/** What is seen of the page without scrolling, as WebP. */
async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const seen = await page.screenshot();
  for (const quality of [90, 80, 65, 50]) {
    const bytes = await sharp(seen).webp({ quality, effort: 6 }).toBuffer();
    if (bytes.length > maxBytes) continue;
    await writeFile(`${folder}/${name}.webp`, bytes);
    process.stdout.write(`${name}.webp: ${bytes.length} bytes\n`);
    return;
  }
  throw new Error(`Cannot draw ${name}: it has more than ${maxBytes} bytes`);
}

const subjects = ['A runner at dawn', 'A red shoe in the rain', 'A ferry leaves at night', 'Gulls over a lighthouse'];
const shapes = ['16:9', '9:16', '1:1', '4:5'] as const;

function briefs(prefix: string, count: number): readonly Brief[] {
  return Array.from({ length: count }, (_, index) => {
    const shape = shapes[index % shapes.length] ?? '16:9';
    const take = String(Math.floor(index / shapes.length) + 1).padStart(2, '0');
    const prompt = `${subjects[index % subjects.length]}, take ${take}`;
    return brief(`${prefix}-${take}-${shape.replace(':', 'x')}`, { prompt, aspectRatio: shape, durationSeconds: 20 });
  });
}

async function bringSheet(page: Page): Promise<void> {
  const rows = briefs('ep', 24).map(({ rowKey, prompt, aspectRatio }, index) => {
    const [shape, seconds] = [
      index === 3 ? '21:09' : aspectRatio?.replace('16:9', '16:09'),
      index === 6 ? '1,000' : '20',
    ];
    return `${rowKey};${prompt};${seconds};${shape};${['de', 'fr', 'es'][index % 3]}`;
  });
  const buffer = Buffer.from(['id;prompt;duration;aspect ratio;market', ...rows, ''].join('\r\n'));
  await page.goto(`${desk.url}/upload`);
  await page.getByLabel('Budget').fill('acme/emea/spring');
  await page.getByLabel('Sheet').setInputFiles({ name: 'spring-launch.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Check it' }).click();
  await page.waitForURL('**/uploads/*');
}

const settings = { budgetPath: 'acme/emea/spring' };

function plan({ scene }: Shown): Promise<string> {
  return scene.seal(briefs('ep', 130), { campaign: 'spring-launch', amountMinor: 300, settings });
}

/** A batch in the midst of its making: most is there, some is awaited, and one order nobody knows the outcome of. */
async function making({ scene }: Shown): Promise<string> {
  const rows = briefs('mood', 48);
  const limits = { ...settings, maxInFlight: 8 };
  const batchId = await scene.make(rows, { campaign: 'winter-moods', amountMinor: 300, settings: limits });
  const keys = rows.map(({ rowKey }) => rowKey);
  for (const key of keys.slice(0, 26)) {
    await scene.deliver(batchId, key);
    scene.nowMs += 20_000;
  }
  const [unknown = '', failed = '', saving = '', ...others] = keys.slice(26);
  await scene.admit(batchId, unknown);
  await scene.answer(batchId, unknown, { kind: 'broken' });
  await scene.order(batchId, failed);
  await scene.look(batchId, failed, 'failed', { error: { code: 'moderation', message: 'the prompt was refused' } });
  await scene.order(batchId, saving);
  await scene.look(batchId, saving, 'completed');
  for (const [index, key] of others.entries()) {
    const admission = await scene.admit(batchId, key);
    if (admission.kind !== 'send') continue;
    await scene.answer(batchId, key, { kind: 'movie', movieId: `movie_${key}`, echo: 'matches' });
    await scene.look(batchId, key, 'rendering', { percent: 20 + index * 9, stage: 'rendering' });
  }
  scene.nowMs += 60_000;
  return batchId;
}

const desk = await showDesk();
try {
  mkdirSync(folder, { recursive: true });
  for (const path of ['acme', 'acme/emea', 'acme/emea/spring']) await desk.scene.fund(path, 60_000);
  const [batch, waiting] = [await making(desk), await plan(desk)];
  await desk.person('dana', 'finance', 'operator', 'submitter');
  const page = await desk.signIn('dana', window);
  await bringSheet(page);
  await picture(page, 'desk-sheet');
  await page.goto(`${desk.url}/batches/${waiting}/plan`);
  await picture(page, 'desk-plan');
  await page.goto(`${desk.url}/batches/${batch}`);
  await picture(page, 'desk-batch');
} finally {
  await desk.close();
}
