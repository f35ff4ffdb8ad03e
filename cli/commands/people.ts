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
    .description('who may do what; once somebody is registered, who submits does not approve')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight people add ana --role admin\n  greenlight people add lee --role finance',
    );
  people
    .command('list')
    .description('who is registered')
    .option('--json', 'as JSON')
    .addOption(homeOption())
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
    .description('register somebody and print their token, this once')
    .argument('<name>', 'letters, digits and . _ @ -')
    .addOption(
      new Option('--role <role>', `of ${roles.join(', ')}; several times for several`)
        .choices(roles)
        .argParser(collectRole)
        .makeOptionMandatory(),
    )
    .option('--json', 'as JSON')
    .addOption(homeOption())
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
    .description('take somebody off; it holds from the next thing that they try')
    .argument('<name>', 'as registered')
    .option('--json', 'as JSON')
    .addOption(homeOption())
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
