import { relative, resolve, sep } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { archiveFolder } from '../../home/installation.js';
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
        const archive = archiveFolder(installation.config);
        const folder = out === undefined ? resolve(archive, batchId) : resolve(context.cwd, out);
        const toArchive = relative(folder, archive).split(sep).join('/');
        const target = createReportFolder(folder);
        const { state } = await writeReports(deps, { actor, batchId, target, toArchive });
        if (flags.json) return printJson(context, { batch: batchId, folder, state });
        if (['preparing', 'waiting', 'making'].includes(state))
          say(context, `${batchId} is ${state}: as it stands now`);
        for (const name of ['results.csv', 'results.jsonl', 'certificate.json', 'gallery.html']) {
          printLine(context, relative(context.cwd, resolve(folder, name)) || name);
        }
      }),
    );
}
