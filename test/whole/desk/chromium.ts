import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Role } from '../../../domain/roles.js';
import { addPerson } from '../../../ledger/access/people.js';
import { openLedger } from '../../../ledger/ledger.js';
import { giveSignInCode } from '../../../operations/access/sessions.js';
import type { DeskDeps } from '../../../web/desk-deps.js';
import { serveDesk } from '../../../web/serve-desk.js';
import { ada, type Scene, setTheScene, studio } from '../../ledger/scene.js';
import { noRemoteFiles } from '../../operations/office.js';
import { self } from '../../web/desk/desk.js';
import { quietParts } from '../../web/desk/quiet-parts.js';

/** Debian's Chromium and a served desk on a ledger in memory. */
export interface Shown {
  readonly scene: Scene;
  readonly url: string;
  /** Where it listens itself. */
  readonly port: number;
  readonly deps: Omit<DeskDeps, 'site'>;
  /** What browsers complained of: policy errors, files that are missing, scripts that fail. */
  readonly complaints: string[];
  person(name: string, ...roles: readonly Role[]): Promise<void>;
  code(name: string): Promise<string>;
  /** A page of a browser of its own in which somebody is signed in. */
  signIn(name: string, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface ShowOptions extends Partial<Omit<DeskDeps, 'site'>> {
  /** As a proxy in front of it is reached; null: browsers come to the desk itself. */
  readonly publicUrl?: string | null;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function showDesk({ publicUrl = null, ...over }: ShowOptions = {}): Promise<Shown> {
  const uploadsFolder = await mkdtemp(join(tmpdir(), 'greenlight-desk-'));
  const ledger = await openLedger({ url: 'sqlite::memory:' });
  const scene = setTheScene(ledger);
  scene.nowMs = Date.UTC(2026, 10, 28, 12);
  const deps: Omit<DeskDeps, 'site'> = {
    ...{ ledger, service: studio, clock: () => scene.nowMs },
    ...quietParts,
    ...{ remoteFiles: noRemoteFiles, uploadsFolder, allowPrivateReferences: false },
    onFault: (error) => complaints.push(String(error)),
    ...over,
  };
  const complaints: string[] = [];
  const server = await serveDesk({ host: '127.0.0.1', port: 0, publicUrl }, deps);
  const browser: Browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  let isFirst = true;
  const code = async (name: string) => (await giveSignInCode(deps, { name, actor: ada })).code;
  return {
    ...{ scene, url: server.publicUrl, port: server.port, deps, complaints, code },
    async person(name, ...roles) {
      const nowMs = scene.nowMs;
      if (isFirst) await addPerson(ledger, { name: 'ada', roles: ['admin'], actor: self, nowMs });
      isFirst = false;
      await addPerson(ledger, { name, roles, actor: ada, nowMs });
    },
    async signIn(name, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${server.publicUrl}/sign-in?code=${await code(name)}`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
      await ledger.close();
      await rm(uploadsFolder, { recursive: true, force: true });
    },
  };
}

/** What axe finds wrong, as `rule: where`. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe};0`);
  return page.evaluate(async () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- axe has put itself there
    const found = await (globalThis as any).axe.run();
    return found.violations.map(
      ({ id, nodes }: { id: string; nodes: { target: string[] }[] }) => `${id}: ${nodes[0]?.target}`,
    );
  });
}

/** How far the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Goes by the tab key to what has this text, or this name where it is a field. */
export async function tabTo(page: Page, words: string): Promise<void> {
  await page.evaluate('document.activeElement.blur()');
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press('Tab');
    const names = (await page.evaluate(namesOfFocus)) as readonly string[];
    if (names.includes(words)) return;
  }
  throw new Error(`The keyboard does not get to ${words}`);
}

const namesOfFocus = `(() => {
  const { activeElement: at } = document;
  const names = [at.textContent, at.getAttribute('aria-label') ?? '', at.labels?.[0]?.textContent ?? ''];
  return names.map((name) => name.replace(/\\s+/g, ' ').trim());
})()`;
