import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type Role, roles } from '../../domain/roles.js';
import { giveSignInCode } from '../../operations/access/sessions.js';
import { addPerson, listPeople, type Registered, removePerson, renewToken } from '../../operations/people.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { alignColumns } from '../terminal/text-width.js';

/** `greenlight people`: who may do what. */
export function addPeopleCommand(program: Command, context: CliContext): void {
  const people = program
    .command('people')
    .description('Manage people and their roles. A submitter cannot approve their own batch')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight people add ana --role admin\n  greenlight people add lee --role finance --expires 90\n  greenlight people token lee\n  greenlight people code lee',
    );
  addList(people, context);
  addAdd(people, context);
  addRemove(people, context);
  addToken(people, context);
  addCode(people, context);
}

function addList(people: Command, context: CliContext): void {
  people
    .command('list')
    .description('List registered people')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight people list')
    .action((flags) =>
      withSession(context, flags, async ({ deps }) => {
        const nowMs = deps.clock();
        const registered = await listPeople(deps);
        if (flags.json) return printJson(context, peopleJson(registered));
        if (registered.people.length === 0) return say(context, whileNobody[registered.registration]);
        const lines = registered.people.map(({ name, roles: has, addedAtMs, addedBy, tokenExpiresAtMs }) => [
          name,
          has.join(', '),
          `added by ${addedBy} at ${formatTime(addedAtMs)}`,
          expiryWords(tokenExpiresAtMs, nowMs),
        ]);
        for (const line of alignColumns(lines)) printLine(context, line);
      }),
    );
}

function addAdd(people: Command, context: CliContext): void {
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
    .addOption(expiresOption())
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight people add lee --role finance --role auditor')
    .action((name, flags) =>
      withSession(
        context,
        flags,
        async ({ deps, actor }) => {
          const who = { name, roles: flags.role, tokenDays: flags.expires ?? null, actor: await actor() };
          const { token, expiresAtMs } = await addPerson(deps, who);
          if (flags.json) {
            return printJson(context, { name, roles: flags.role, token, expires_at: isoOrNull(expiresAtMs) });
          }
          printToken(context, name, { token, expiresAtMs });
        },
        { home: 'create' },
      ),
    );
}

function addRemove(people: Command, context: CliContext): void {
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

function addToken(people: Command, context: CliContext): void {
  people
    .command('token')
    .description('Replace a token; the old one stops working at once. Everybody may replace their own')
    .argument('<name>', 'name of the person')
    .addOption(expiresOption())
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight people token lee --expires 90')
    .action((name, flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const renewal = { name, tokenDays: flags.expires ?? null, actor: await actor() };
        const { token, expiresAtMs } = await renewToken(deps, renewal);
        if (flags.json) return printJson(context, { name, token, expires_at: isoOrNull(expiresAtMs) });
        printToken(context, name, { token, expiresAtMs });
      }),
    );
}

function addCode(people: Command, context: CliContext): void {
  people
    .command('code')
    .description('Print a code that signs a person in to the desk once, within 10 minutes')
    .argument('<name>', 'name of the person')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight people code lee')
    .action((name, flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const { code, untilMs } = await giveSignInCode(deps, { name, actor: await actor() });
        if (flags.json) return printJson(context, { name, code, expires_at: isoOrNull(untilMs) });
        printLine(context, code);
        say(context, `Signs ${name} in to the desk once, until ${formatTime(untilMs)}`);
      }),
    );
}

function printToken(
  context: CliContext,
  name: string,
  { token, expiresAtMs }: { readonly token: string; readonly expiresAtMs: number | null },
): void {
  printLine(context, token);
  const end = expiresAtMs === null ? '' : `, until ${formatTime(expiresAtMs)}`;
  say(context, `The token of ${name}, shown only once. They use it by: export GREENLIGHT_TOKEN=<token>${end}`);
}

function expiryWords(atMs: number | null, nowMs: number): string {
  if (atMs === null) return '';
  return `token ${atMs > nowMs ? 'expires' : 'expired'} at ${formatTime(atMs)}`;
}

/** What a list without a name means, by who may act. */
const whileNobody: Readonly<Record<Registered['registration'], string>> = {
  alone: 'Nobody is registered: whoever opens this ledger has every role',
  nobody: 'Nobody is registered. Begin with: greenlight people add <name> --role admin',
  people: '',
};

function peopleJson({ people }: Registered) {
  return people.map(({ name, roles: has, addedAtMs, addedBy, tokenExpiresAtMs }) => ({
    ...{ name, roles: has, added_by: addedBy },
    added_at: new Date(addedAtMs).toISOString(),
    expires_at: isoOrNull(tokenExpiresAtMs),
  }));
}

function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

function expiresOption() {
  return new Option('--expires <days>', 'days until the token expires (default: never)').argParser(parseDays);
}

const maxDays = 3_650;

function parseDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= maxDays) return days;
  throw new InvalidArgumentError(`It must be a whole number of days, 1 to ${maxDays}.`);
}

function collectRole(value: string, earlier: readonly Role[] | undefined): readonly Role[] {
  return [...new Set([...(earlier ?? []), value as Role])]; // of the choices, which the ledger checks again
}
