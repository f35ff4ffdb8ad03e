import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

/** A Chromium of this machine, without a window. @throws Error where there is none. */
export async function openBrowser(): Promise<Browser> {
  // Without a device for sound none is looked for: that leaves a folder of the sound server behind.
  return chromium.launch({ executablePath: installedBrowser(), args: ['--no-sandbox', '--disable-audio-output'] });
}

function installedBrowser(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  if (found) return found;
  throw new Error(`Cannot open a browser: none of ${names.join(', ')} is on PATH; install Chromium`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What axe finds against a page, as `rule: element`; its context must bypass the page's policy for scripts. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as { axe: typeof axe }; // put there by its own source
    return (await run.run()).violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }));
  });
  return violations.flatMap(({ id, html }) => html.map((element) => `${id}: ${element}`));
}
