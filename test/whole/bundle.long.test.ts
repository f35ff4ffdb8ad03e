import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings, openBrowser } from '../browser.js';
import { type Home, makeHome, threeBriefs } from './home.js';

const exec = promisify(execFile);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('a gallery plays every film with its captions, from any folder and from a zip file, and axe finds nothing', async () => {
  const home = await makeHome();
  const sheet = await home.sheet(`${threeBriefs}feed,"חנות קטנה ברחוב צדדי, אור חם",5,4:5\n`);
  const run = await home.run(['run', sheet, '--budget', '500USD', '--yes', '--render', 'draft']);
  expect(run.code, run.stderr).toBe(0);
  for (const [unpack, args] of [
    [renamed, []],
    [unzipped, ['--zip']],
  ] as const) {
    const written = await home.run(['bundle', 'sheet', '--note', 'Für euch', '--out', 'bundle.zip', ...args]);
    expect(written.code, written.stderr).toBe(0);
    const folder = await unpack(home);
    // As its receiver checks it: it fails for a file that is missing or differs, and for a line that it cannot read.
    await exec('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
    const page = pathToFileURL(join(folder, 'gallery.html')).href;
    expect(await playAll(page)).toEqual({ played: 4, problems: [] });
    expect(await looksOf(page)).toEqual({ light: [], dark: [], widths: [360, 1280] });
  }
  // The batch's own gallery is the same page.
  const own = pathToFileURL(join(home.archive, 'sheet-1', 'gallery.html')).href;
  expect(await playAll(own)).toEqual({ played: 4, problems: [] });
  expect(await looksOf(own)).toEqual({ light: [], dark: [], widths: [360, 1280] });
}, 240_000);

async function renamed({ folder }: Home): Promise<string> {
  const elsewhere = join(folder, 'für #1 & Söhne');
  await rename(join(folder, 'bundle.zip'), elsewhere);
  return elsewhere;
}

async function unzipped({ folder }: Home): Promise<string> {
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(join(folder, 'bundle.zip'))))) {
    const file = join(folder, 'downloads', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  return join(folder, 'downloads', 'bundle');
}

/** Clicks on every poster, as a client does. */
async function playAll(url: string) {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('requestfailed', (request) => problems.push(request.url()));
  await page.goto(url);
  const films = page.locator('video');
  const played = await films.count();
  for (let index = 0; index < played; index += 1) {
    await page.locator('summary').nth(index).click();
    await page.evaluate(`new Promise((isPlaying) => {
      const film = document.querySelectorAll('video')[${index}];
      const look = () => film.currentTime > 0.1 ? isPlaying() : film.addEventListener('timeupdate', look, { once: true });
      look();
    })`);
    const seen = await page.evaluate(`({
      captions: [...document.querySelectorAll('video')[${index}].textTracks].map((one) => [one.mode, one.cues.length > 0]),
      playing: [...document.querySelectorAll('video')].filter((one) => !one.paused).length,
    })`);
    if (JSON.stringify(seen) !== '{"captions":[["showing",true]],"playing":1}') problems.push(JSON.stringify(seen));
  }
  await page.close();
  return { played, problems };
}

async function looksOf(url: string) {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  const widths: unknown[] = [];
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(url);
    widths.push(await page.evaluate('document.documentElement.scrollWidth'));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await axeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await axeFindings(page);
  await context.close();
  return { light, dark, widths };
}
