import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

type Ranges = Readonly<Record<string, readonly (readonly [low: number, high: number])[]>>;

const require = createRequire(import.meta.url);
const ranges = new Map<string, Ranges>();

export function packageFolder(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}

/** A font package's own list of what each subset has, `U+0000-00FF,U+0131`; read once. */
export function rangesOf(name: string): Ranges {
  const known = ranges.get(name);
  if (known) return known;
  const listed: Record<string, string> = JSON.parse(readFileSync(join(packageFolder(name), 'unicode.json'), 'utf8'));
  const read: Ranges = Object.fromEntries(Object.entries(listed).map(([subset, text]) => [subset, parseRanges(text)]));
  ranges.set(name, read);
  return read;
}

function parseRanges(text: string): readonly (readonly [number, number])[] {
  return text.split(',').map((range) => {
    const [low, high] = range
      .replace(/^\s*U\+/i, '')
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    return [low ?? 0, high ?? low ?? 0];
  });
}
