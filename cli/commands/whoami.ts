import type { Command } from '@commander-js/extra-typings';
import { type WhoIAm, whoAmI } from '../../operations/people.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine } from '../terminal/print.js';

/** `greenlight whoami`: the person that the ledger takes this terminal for. */
export function addWhoamiCommand(program: Command, context: CliContext): void {
  program
    .command('whoami')
    .description('Show your name and roles in this ledger, and when your token expires')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight whoami')
    .action((flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const who = await whoAmI(deps, await actor());
        if (flags.json) return printJson(context, whoJson(who));
        printLine(context, words(who));
      }),
    );
}

function words({ actor: { name, roles }, registration, expiresAtMs }: WhoIAm): string {
  if (registration === 'alone') return `${name}, every role: nobody is registered in this ledger`;
  if (registration === 'nobody') {
    return `${name}, no role: nobody is registered. Begin with: greenlight people add <name> --role admin`;
  }
  return `${name}, ${roles.join(', ')}${expiresAtMs === null ? '' : `; token expires at ${formatTime(expiresAtMs)}`}`;
}

function whoJson({ actor: { name, roles }, registration, expiresAtMs }: WhoIAm) {
  return {
    ...{ name, roles, registration },
    expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
  };
}
