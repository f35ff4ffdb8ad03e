import { relative, resolve, sep } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { archiveFolder, isBucket, placeOf } from '../../home/archive/open-archive.js';
import type { Config } from '../../home/config.js';
import { writeReports } from '../../operations/reports.js';
import { createReportFolder } from '../../reports/report-folder.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine, say } from '../terminal/print.js';

/** `greenlight results`: the sheet back, with what became of each row. */
export function addResultsCommand(program: Command, context: CliContext): void {
  program
    .command('results')
    .description('Write results.csv, results.jsonl, certificate.json and gallery.html of a batch as it stands')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .option('--out <folder>', 'target folder (default: beside the movies)')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight results spring-launch-3 --out for-the-team')
    .action((batchId, { out, ...flags }) =>
      withSession(context, flags, async ({ deps, installation, ...session }) => {
        const actor = await session.actor();
        const { config, reports } = installation;
        const folder = out === undefined ? placeOf(config, batchId) : resolve(context.cwd, out);
        const target =
          out === undefined
            ? reports(batchId)
            : createReportFolder(folder, isBucket(config) ? undefined : archiveFolder(config));
        const toArchive = out === undefined ? '..' : wayToArchive(folder, config);
        const { state } = await writeReports(deps, { actor, batchId, target, toArchive });
        if (flags.json) return printJson(context, { batch: batchId, folder, state });
        if (['preparing', 'waiting', 'making'].includes(state))
          say(context, `${batchId} is ${state}: as it stands now`);
        for (const name of ['results.csv', 'results.jsonl', 'certificate.json', 'gallery.html']) {
          printLine(
            context,
            isUrl(folder) ? `${folder}/${name}` : relative(context.cwd, resolve(folder, name)) || name,
          );
        }
      }),
    );
}

/** From a folder of reports to the root of the archive; its own address where that is a bucket. */
function wayToArchive(folder: string, config: Config): string {
  return isBucket(config) ? config.archiveUrl : relative(folder, archiveFolder(config)).split(sep).join('/');
}

function isUrl(place: string): boolean {
  return place.startsWith('s3:');
}
