import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** A file that browsers load beside a page. Its name changes with its content, so that it is kept for good. */
export interface Asset {
  /** As `desk.4f1c02aa.css`. */
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
}

export type AssetName = 'desk.css' | 'desk.js' | 'live.js' | 'notes.js' | 'icons.svg' | 'icon.svg' | 'inter.woff2';

const { resolve } = createRequire(import.meta.url);
/** The package has them as they are in the sources; they are not compiled. */
const folder = dirname(resolve('#root/web/assets/icon.svg'));
const font = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

let known: ReadonlyMap<AssetName, Asset> | undefined;

/** Read once, at the first page. */
function assets(): ReadonlyMap<AssetName, Asset> {
  if (known) return known;
  const inter = asset('inter.woff2', 'font/woff2', readFileSync(resolve(font)));
  known = new Map<AssetName, Asset>([
    ['inter.woff2', inter],
    ['desk.css', asset('desk.css', 'text/css; charset=utf-8', Buffer.from(stylesheet(inter)))],
    ['desk.js', asset('desk.js', 'text/javascript; charset=utf-8', script('desk.js'))],
    ['live.js', asset('live.js', 'text/javascript; charset=utf-8', script('live.js'))],
    ['notes.js', asset('notes.js', 'text/javascript; charset=utf-8', script('notes.js'))],
    ['icons.svg', asset('icons.svg', 'image/svg+xml', readFileSync(join(folder, 'icons.svg')))],
    ['icon.svg', asset('icon.svg', 'image/svg+xml', readFileSync(join(folder, 'icon.svg')))],
  ]);
  return known;
}

/** The files of `styles/` in the order of their numbers, without comments and indentation. */
function stylesheet(inter: Asset): string {
  const styles = join(folder, 'styles');
  const files = readdirSync(styles).sort();
  const text = files.map((file) => readFileSync(join(styles, file), 'utf8')).join('\n');
  const lines = text.replace(/\/\*[\s\S]*?\*\//g, '').split('\n');
  const packed = lines.map((line) => line.trim().replace(/^([\w-]+): /, '$1:')).filter((line) => line !== '');
  return packed.join('\n').replaceAll('inter.woff2', inter.name);
}

/** Without comments of their own line and indentation. */
function script(file: string): Buffer {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const packed = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('//'));
  return Buffer.from(`${packed.join('\n')}\n`);
}

function asset(name: AssetName, type: string, body: Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8);
  return { name: name.replace(/\.(?=[^.]+$)/, `.${hash}.`), type, body };
}

/** An icon for a page that shows it often, as `#i-<name>` of that page. */
export function iconSymbol(name: string): string {
  const icons = assets().get('icons.svg')?.body.toString() ?? '';
  const symbol = new RegExp(`<symbol id="${name}".*?</symbol>`, 's').exec(icons)?.[0] ?? '';
  return symbol.replace(' id="', ' id="i-');
}

/** The path of a file under the desk's own. */
export function assetPath(name: AssetName): string {
  return `/assets/${assets().get(name)?.name}`;
}

/** By the name that a page gave; null for one of another version. */
export function findAsset(path: string): Asset | null {
  return [...assets().values()].find(({ name }) => name === basename(path)) ?? null;
}
