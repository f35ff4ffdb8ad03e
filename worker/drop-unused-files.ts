import { readdir, rm, rmdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs after the install of a clone: removes files of packages that nothing here reads, such as the binaries of
// Temporal's core for four other platforms. Licences stay, and everything that runs or is compiled against.
const require = createRequire(import.meta.resolve('@temporalio/worker'));
const { getPrebuiltTargetName } = require('@temporalio/core-bridge/common') as { getPrebuiltTargetName(): string };

/** Source maps, sources of compiled code, and documentation; `.d.ts` are what we compile against. */
const unread =
  /\.(map|flow|tsbuildinfo)$|(?<!\.d)\.[cm]?tsx?$|^(readme|changelog|history|changes)(\..*)?\.(md|markdown)$/i;
/** Temporal bundles workflows with the maps of its own packages. */
const keepsMaps = /^@temporalio\//;
/** Fonts are read as WOFF2, upright, by their weight alone, and not through their stylesheets. */
const otherFonts = /\.(woff|s?css)$|-italic\.woff2$|-(standard|wdth|opsz|full)-normal\.woff2$/;
/** What compiling SQLite leaves next to its result; the sources stay, so that it can be rebuilt for another Node. */
const builtOn =
  /^better-sqlite3\/build\/Release\/(obj|obj\.target|\.deps)\/|^better-sqlite3\/build\/Release\/[^/]*\.a$/;

/** The Rust sources of Temporal's core, and a minifier of CSS. */
const otherParts = /^@temporalio\/core-bridge\/(sdk-core|src|bridge-macros)\/|^lightningcss-[^/]+\/[^/]+\.node$/;
/** Further builds of packages: for browsers, bundlers, TypeScript before 4, and `require` where all of us import. */
const otherForms =
  /^mediabunny\/dist\/bundles\/|^rxjs\/dist\/(bundles|esm|esm5)\/|^@opentelemetry\/[^/]+\/build\/(esm|esnext)\/|^@(aws-sdk|smithy)\/[^/]+\/dist-es\/|\/dist-types\/ts3\.4\/|^(kysely|hono)\/dist\/cjs\//;
/** Playwright's own pages, which browsers can do what, and the packages' own tests. */
const otherUses = /^playwright-core\/lib\/vite\/|^caniuse-lite\/data\/(features|regions)\/|^(@[^/]+\/)?[^/]+\/tests?\//;
const licence = /^(licen[cs]e|notice)/i;

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
for (const entry of await readdir(modules, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  const name = path.slice(modules.length + 1).replaceAll(sep, '/');
  if (isUnread(name)) await remove(path);
}

/** With the folders that it leaves empty. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true });
  for (let folder = dirname(path); await isGone(folder); folder = dirname(folder));
}

/** Whether it was empty. */
async function isGone(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}

/** @param name of a file, below `node_modules` */
function isUnread(name: string): boolean {
  const file = name.slice(name.lastIndexOf('/') + 1);
  if (name.startsWith('.')) return false; // npm's own, and caches
  if (name.startsWith('@temporalio/core-bridge/releases/')) return !name.includes(`/${getPrebuiltTargetName()}/`);
  if (name.startsWith('@fontsource')) return otherFonts.test(file);
  if (builtOn.test(name)) return true;
  if ([otherParts, otherForms, otherUses].some((one) => one.test(name))) return !licence.test(file);
  return unread.test(file) && !keepsMaps.test(name);
}
