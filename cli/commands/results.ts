import { relative, resolve, sep } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { archiveFolder, isBucket, placeOf } from '../../home/archive/open-archive.js';
import type { Installation } from '../../home/installation.js';
import { writeReports } from '../../operations/reports.js';
import { createReportFolder } from '../../reports/report-folder.js';
import { addressesBy, type LinksFlag, readLinksFlag } from '../manifest/links-flag.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { printJson, printLine, say } from '../terminal/print.js';

const plain: LinksFlag = { kind: 'plain' };

/** `greenlight results`: the sheet back, with what became of each row. */
export function addResultsCommand(program: Command, context: CliContext): void {
  program
    .command('results')
    .description('Write results.csv, results.jsonl, certificate.json and gallery.html of a batch as it stands')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .option('--out <folder>', 'target folder (default: next to the movies)')
    .option(
      '--links <kind>',
      'how files are named: plain (paths), base=https://… or presigned=7d (at most; a bucket only)',
      readLinksFlag,
    )
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText(
      'after',
      '\nExample:\n  greenlight results spring-launch-3 --out reports\n  greenlight results spring-launch-3 --out reports --links presigned=7d',
    )
    .action((batchId, { out, links = plain, ...flags }) =>
      withSession(context, flags, async ({ deps, installation, ...session }) => {
        const actor = await session.actor();
        const { folder, ...place } = placeOfReports(installation, {
          batchId,
          links,
          out: out && resolve(context.cwd, out),
        });
        const { state } = await writeReports(deps, { actor, batchId, ...place });
        if (flags.json) return printJson(context, { batch: batchId, folder, state });
        if (['preparing', 'waiting', 'making'].includes(state))
          say(context, `${batchId} is ${state}: as it stands now`);
        for (const name of ['results.csv', 'results.jsonl', 'certificate.json', 'gallery.html']) {
          printLine(
            context,
            isUrl(folder) ? `${folder}/${name}` : relative(context.cwd, resolve(folder, name)) || name,
          );
        }
        if (out !== undefined && links.kind === 'plain') say(context, handOverWords(batchId));
      }),
    );
}

/** Reports elsewhere point to the films where they are, and nobody else has that folder. */
function handOverWords(batchId: string): string {
  return `the films stay where they are; with them: greenlight bundle ${batchId}`;
}

interface Where {
  readonly batchId: string;
  readonly links: LinksFlag;
  /** Undefined: beside the movies. */
  readonly out: string | undefined;
}

/** Beside the movies, paths are enough; elsewhere a file of a bucket has its address in it. */
function placeOfReports({ config, archive, reports }: Installation, { batchId, links, out }: Where) {
  if (links.kind === 'presigned' && out === undefined) {
    throw new CliError(
      'Cannot write signed links next to the movies: the links expire; name another folder with --out',
      exitCodes.usage,
    );
  }
  const asked = addressesBy(links, archive);
  const addresses = asked && { addressOf: asked };
  if (out === undefined) return { folder: placeOf(config, batchId), target: reports(batchId), ...addresses };
  if (isBucket(config)) {
    const addressOf = asked ?? (async (path: string) => `${config.archiveUrl}/${path}`);
    return { folder: out, target: createReportFolder(out), addressOf };
  }
  const root = archiveFolder(config);
  const toArchive = relative(out, root).split(sep).join('/');
  return { folder: out, target: createReportFolder(out, root), toArchive, ...addresses };
}

function isUrl(place: string): boolean {
  return place.startsWith('s3:');
}
