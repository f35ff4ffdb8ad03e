import type { Command } from '@commander-js/extra-typings';
import { listChannels, turnOn } from '../../operations/health/notices.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { fitTable } from '../terminal/fit-table.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';

type Channel = Awaited<ReturnType<typeof listChannels>>[number];

/** `greenlight notices`: the channels by which people are told, and the way to turn one on again. */
export function addNoticesCommand(program: Command, context: CliContext): void {
  const notices = program
    .command('notices')
    .description('List the channels of notices (chat, mail, webhook), and turn one on again')
    .addHelpText('after', '\nExample:\n  greenlight notices list\n  greenlight notices on webhook');
  notices
    .command('list')
    .description('List the channels that were used, and whether they work')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight notices list')
    .action((flags) =>
      withSession(context, flags, async ({ deps }) => {
        const channels = await listChannels(deps);
        if (flags.json) return printJson(context, channels.map(channelJson));
        if (channels.length === 0)
          return say(context, 'No notices sent so far; docs/notices.md says how they are set up');
        const rows = channels.map((channel) => [channel.channel, stateWords(channel)]);
        for (const line of fitTable(rows, { columns: roomOf(context.stdout, context.env) })) printLine(context, line);
      }),
    );
  notices
    .command('on')
    .description('Turn on a channel that was turned off because its endpoint took nothing for a day')
    .argument('<channel>', 'chat, mail or webhook')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight notices on webhook')
    .action((channel, flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        await turnOn(deps, { channel, actor: await actor() });
        if (flags.json) return printJson(context, { channel, off: false });
        printLine(context, `${channel} is on; what it missed is sent now`);
      }),
    );
}

function stateWords({ offSinceMs, failingSinceMs, tries, error }: Channel): string {
  const why = error === null ? '' : `: ${error}`;
  if (offSinceMs !== null) return `off since ${formatTime(offSinceMs)}${why}`;
  if (failingSinceMs !== null) return `failing since ${formatTime(failingSinceMs)}, ${tries} tries${why}`;
  return 'works';
}

function channelJson({ channel, offSinceMs, failingSinceMs, tries, error }: Channel) {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return { channel, off_since: at(offSinceMs), failing_since: at(failingSinceMs), tries, error };
}
