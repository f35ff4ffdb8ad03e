import { basename, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { type Bundle, openBundle } from '../../operations/bundle.js';
import { zipOf } from '../../reports/bundle/zip-of.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { onShutdown } from '../terminal/graceful-stop.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { writeNewFile } from '../terminal/write-new-file.js';
import { writeNewFolder } from '../terminal/write-new-folder.js';

interface BundleFlags {
  readonly zip?: true | undefined;
  readonly out?: string | undefined;
  readonly replace?: true | undefined;
  readonly title?: string | undefined;
  readonly note?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly prices?: true | undefined;
  readonly json?: true | undefined;
  readonly home?: string | undefined;
}

/** `greenlight bundle`: a folder or zip file for whoever the movies are for. */
export function addBundleCommand(program: Command, context: CliContext): void {
  program
    .command('bundle')
    .description(
      'Write a folder to hand over: films, captions, posters, a gallery, results and checksums. ' +
        'It has no prices, paths or names of services. A campaign is bundled in its present state, over all its batches',
    )
    .argument('<batch or campaign>', 'e.g. spring-launch-3 or spring-launch')
    .option('--zip', 'write a zip file')
    .option('--out <name>', 'folder or file to write (default: <batch or campaign>-bundle)')
    .option('--replace', 'replace an older bundle of that name')
    .option('--title <text>', 'title of the gallery (default: name of the campaign)')
    .option('--note <text>', 'text below the title')
    .option('--columns <names>', 'columns of your sheet to put into the results, e.g. market,language', namesIn)
    .option('--prices', 'put what each movie cost into the results')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight bundle spring-launch --zip --title "Spring launch"')
    .action((subject, flags) => bundle(context, subject, flags));
}

function namesIn(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

const whenLeft = 'Stopped. What is unfinished begins with a dot and ends in .part; it can be deleted';

async function bundle(context: CliContext, subject: string, flags: BundleFlags): Promise<void> {
  const leaving = onShutdown(context, whenLeft);
  leaving.onFirst(() => 'Stopping: the bundle is not finished, nothing of it is left. The same command starts again.');
  const out = flags.out ?? `${subject}-bundle${flags.zip ? '.zip' : ''}`;
  try {
    const work = withSession(context, { home: flags.home }, async ({ deps, installation, actor }) => {
      const { title, note, columns = [], prices = false } = flags;
      const request = { actor: await actor(), subject, files: installation.archive, title, note, columns, prices };
      const opened = await openBundle(deps, request);
      const entries = stoppable(opened.entries(), leaving.signal);
      const zipped = { folder: basename(out, '.zip'), mtime: new Date(deps.clock()) };
      const replace = flags.replace ?? false;
      if (flags.zip) await writeNewFile(context, out, zipOf(entries, zipped), { replace });
      else await writeNewFolder(context, out, { entries, replace });
      report(context, { subject, out, opened, json: flags.json ?? false });
    });
    await Promise.race([work, leaving.atOnce]);
  } finally {
    leaving.end();
  }
}

/** Ends with the reason of the signal, also in the middle of a film. */
async function* stoppable<Entry extends { readonly content: AsyncIterable<Uint8Array> }>(
  entries: AsyncIterable<Entry>,
  signal: AbortSignal,
): AsyncGenerator<Entry, void, undefined> {
  for await (const entry of entries) yield { ...entry, content: untilAborted(entry.content) };

  async function* untilAborted(content: AsyncIterable<Uint8Array>) {
    for await (const chunk of content) {
      signal.throwIfAborted();
      yield chunk;
    }
  }
}

interface Written {
  readonly subject: string;
  readonly out: string;
  readonly opened: Bundle;
  readonly json: boolean;
}

function report(context: CliContext, { subject, out, opened, json }: Written): void {
  const { films, sizeBytes, notDelivered, needReview, earlier } = opened;
  if (json) {
    const lists = { not_delivered: notDelivered, need_review: needReview, earlier };
    printJson(context, { path: resolve(context.cwd, out), films, size_bytes: sizeBytes, ...lists });
    return;
  }
  if (notDelivered.length > 0) say(context, `Left out, not delivered: ${named(notDelivered)}`);
  if (needReview.length > 0)
    say(context, `Look at these before you send it, they are not as ordered: ${named(needReview)}`);
  if (earlier.length > 0) say(context, `An earlier form, since the newest is not delivered: ${named(earlier)}`);
  const count = films === 1 ? '1 film' : `${films} films`;
  printLine(context, `${out}  ${count} of ${subject}, ${megabytes(sizeBytes)}, with gallery, results and checksums`);
  if (!out.endsWith('.zip'))
    printLine(context, `Open ${out}/gallery.html. To check it: cd ${out} && sha256sum -c SHA256SUMS`);
}

const shownIds = 5;

function named(ids: readonly string[]): string {
  const more = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : '';
  return ids.slice(0, shownIds).join(', ') + more;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
