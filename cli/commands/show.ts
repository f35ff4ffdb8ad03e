import { relative } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { placeOf } from '../../home/archive/open-archive.js';
import { readRowHistory } from '../../operations/row-history.js';
import { homeOption, waitingDeps, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';
import { rowStoryJson } from '../views/row-story-json.js';
import { rowStory } from '../views/row-story.js';

/** `greenlight show`: the whole story of one row. */
export function addShowCommand(program: Command, context: CliContext): void {
  program
    .command('show')
    .description('Show one row: brief, price, every attempt and answer, files, money, and who did what')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .argument('<row>', 'row id')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight show spring-launch-3 ep-07')
    .action((batchId, rowKey, flags) =>
      withSession(context, flags, async (session) => {
        const deps = waitingDeps(session);
        const history = await readRowHistory(deps, { batchId, rowKey, actor: await session.actor() });
        const nowMs = deps.clock();
        if (flags.json) return printJson(context, rowStoryJson(history, nowMs));
        const { config } = session.installation;
        const placeOfFile = (path: string) => {
          const place = placeOf(config, path);
          return place.startsWith('s3:') ? place : relative(context.cwd, place);
        };
        const columns = roomOf(context.stdout, context.env);
        for (const line of rowStory(history, { nowMs, columns, placeOfFile })) printLine(context, line);
      }),
    );
}
