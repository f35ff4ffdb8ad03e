import { type Command, Option } from '@commander-js/extra-typings';
import { type Role, roles } from '../../domain/roles.js';
import { addPerson, listPeople, removePerson } from '../../operations/people.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { alignColumns } from '../terminal/text-width.js';
import { formatTime } from '../terminal/time-text.js';

/** `greenlight people`: who may do what. */
export function addPeopleCommand(program: Command, context: CliContext): void {
  const people = program
    .command('people')
    .description('Manage people and their roles. A submitter cannot approve their own batch')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight people add ana --role admin\n  greenlight people add lee --role finance',
    );
  people
    .command('list')
    .description('List registered people')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight people list')
    .action((flags) =>
      withSession(context, flags, async ({ deps }) => {
        const found = await listPeople(deps);
        if (flags.json) {
          return printJson(
            context,
            found.map(({ name, roles: has, addedAtMs, addedBy }) => ({
              ...{ name, roles: has, added_by: addedBy },
              added_at: new Date(addedAtMs).toISOString(),
            })),
          );
        }
        if (found.length === 0) return say(context, 'Nobody is registered: whoever opens the ledger may do everything');
        const lines = found.map(({ name, roles: has, addedAtMs, addedBy }) => [
          name,
          has.join(', '),
          `added by ${addedBy} at ${formatTime(addedAtMs)}`,
        ]);
        for (const line of alignColumns(lines)) printLine(context, line);
      }),
    );
  people
    .command('add')
    .description('Register a person and print their token once')
    .argument('<name>', 'name: letters, digits and . _ @ -')
    .addOption(
      new Option('--role <role>', `${roles.join(', ')}; repeat for several`)
        .choices(roles)
        .argParser(collectRole)
        .makeOptionMandatory(),
    )
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight people add lee --role finance --role auditor')
    .action((name, flags) =>
      withSession(
        context,
        flags,
        async ({ deps, actor }) => {
          const { token } = await addPerson(deps, { name, roles: flags.role, actor: await actor() });
          if (flags.json) return printJson(context, { name, roles: flags.role, token });
          printLine(context, token);
          say(context, `The token of ${name}, shown this once; they set GREENLIGHT_TOKEN to it`);
        },
        { home: 'create' },
      ),
    );
  people
    .command('remove')
    .description("Revoke a person's access, effective immediately")
    .argument('<name>', 'name of the person')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight people remove lee')
    .action((name, flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        await removePerson(deps, { name, actor: await actor() });
        if (flags.json) return printJson(context, { name, removed: true });
        printLine(context, `${name} is removed`);
      }),
    );
}

function collectRole(value: string, earlier: readonly Role[] | undefined): readonly Role[] {
  return [...new Set([...(earlier ?? []), value as Role])]; // of the choices, which the ledger checks again
}
