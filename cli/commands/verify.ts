import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { createLedgerFiles } from '../../archive/ledger-files.js';
import { type VerifiedFile, verifyFiles } from '../../archive/verify.js';
import { archivedFilesOf } from '../../operations/batch/archived-batches.js';
import { type BatchLook, eachRow } from '../../operations/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { verifyBucket } from '../flow/verify-bucket.js';
import { verifyDelivered } from '../flow/verify-delivered.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { printJson, printLine, sayNext } from '../terminal/print.js';

/** Differences that are shown by name; the rest are counted. */
const shownFiles = 20;

/** `greenlight verify`: every delivered file against its hash. */
export function addVerifyCommand(program: Command, context: CliContext): void {
  program
    .command('verify')
    .description('Check every delivered file against its SHA-256; exit 1 if one differs')
    .argument(
      '<folder or batch>',
      'folder of movies, wherever it is now, s3:// address of an archive or batch, or a batch id',
    )
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText(
      'after',
      '\nExample:\n  greenlight verify out/spring-launch-3\n  greenlight verify s3://movies/acme/spring-launch-3\n  greenlight verify spring-launch-3',
    )
    .action(async (what, flags) => {
      if (what.startsWith('s3://')) return report(verifyBucket(what), what, flags);
      const folder = resolve(context.cwd, what);
      if (await isFolder(folder)) return report(verifyDelivered(folder), what, flags);
      if (/[/\\]/.test(what)) throw new CliError(`Cannot verify ${what}: there is no such folder`, exitCodes.usage);
      await withSession(context, flags, async ({ deps, installation, actor }) => {
        const { archive } = installation;
        const look = { batchId: what, actor: await actor() };
        const archived = await archivedFilesOf(deps, { ...look, files: createLedgerFiles(archive) });
        await report(verifyFiles(archive, archived ?? filesOf(deps, look)), what, flags);
      });
    });

  async function report(
    files: AsyncIterable<VerifiedFile>,
    what: string,
    { json }: { readonly json?: true | undefined },
  ): Promise<void> {
    const bad: VerifiedFile[] = [];
    let intact = 0;
    let different = 0;
    for await (const file of files) {
      if (file.actual === file.expected) intact += 1;
      else different += 1;
      if (file.actual !== file.expected && (json || bad.length < shownFiles)) bad.push(file);
    }
    if (intact + different === 0) {
      throw new CliError(`Cannot verify ${what}: it has no delivered files`, exitCodes.usage);
    }
    if (different > 0) context.setExitCode(exitCodes.incomplete);
    if (json) return printJson(context, { intact, different, files: bad });
    for (const file of bad) printLine(context, differenceLine(file));
    if (different > bad.length) printLine(context, `and ${different - bad.length} more: --json`);
    printLine(context, `${what}  checksums verified: ${intact}${different === 0 ? '' : `, ${different} failed`}`);
    if (different > 0) sayNext(context, `restore these files from a backup, then greenlight verify ${what}`);
  }
}

function differenceLine({ path, expected, actual }: VerifiedFile): string {
  if (expected === 'a readable record') return `${path}  cannot be read as a record`;
  return actual === null ? `${path}  is missing` : `${path}  is ${actual.slice(0, 12)}, was ${expected.slice(0, 12)}`;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function* filesOf(
  deps: OperationDeps,
  look: BatchLook,
): AsyncGenerator<{ readonly path: string; readonly sha256: string }> {
  for await (const { files } of eachRow(deps, look)) yield* files;
}
