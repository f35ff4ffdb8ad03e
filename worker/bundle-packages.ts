import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Packages of many small modules that every command loads. Node takes about half a millisecond of CPU for each module:
 * as one file they cost a command 50 ms instead of 220.
 */
const packages = ['kysely', 'zod', 'yaml'];

const dist = fileURLToPath(new URL('..', import.meta.url));
const bundles = join(dist, 'packages');

for (const name of packages) {
  // One of them is CommonJS, whose names `export *` does not export.
  const names = Object.keys((await import(name)) as object).filter((one) => one !== 'module.exports');
  await build({
    stdin: { contents: `export { ${names.join(', ')} } from '${name}';`, resolveDir: dist },
    outfile: join(bundles, `${name}.js`),
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20', minifySyntax: true, minifyWhitespace: true },
    legalComments: 'inline',
    // For the CommonJS modules inside.
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
  });
}

const imported = new RegExp(`(from |import\\()(['"])(${packages.join('|')})\\2`, 'g');
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (!entry.isFile() || !entry.name.endsWith('.js') || path.startsWith(bundles)) continue;
  const text = await readFile(path, 'utf8');
  const changed = text.replace(imported, (_, how: string, quote: string, name: string) => {
    const to = relative(dirname(path), join(bundles, `${name}.js`));
    return `${how}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`;
  });
  if (changed !== text) await writeFile(path, changed);
}
