import type { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { idempotencyModes } from '../../domain/answers/create-outcome.js';
import { type Money, parseMoney } from '../../domain/money.js';
import { type Policy, policyRules } from '../../domain/policy.js';
import { setPolicy, showPolicy } from '../../operations/people.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { printJson, printLine } from '../terminal/print.js';
import { alignColumns } from '../terminal/text-width.js';

/** `greenlight policy`: the rules of this ledger. */
export function addPolicyCommand(program: Command, context: CliContext): void {
  const policy = program
    .command('policy')
    .description('Show and change the rules for approvals, billing and repeated orders')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight policy set approve-below 50USD\n  greenlight policy set billing-failed refunded',
    );
  policy
    .command('show', { isDefault: true })
    .description('Show the rules in force')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight policy show')
    .action((flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const { policy: rules, version } = await showPolicy(deps, { actor: await actor() });
        if (flags.json) return printJson(context, { version, ...rules });
        for (const line of alignColumns(
          policyRules.map(({ name, show }) => [name, show(rules), settings[name].does]),
        )) {
          printLine(context, line);
        }
      }),
    );
  policy
    .command('set')
    .description('Change one rule; recorded in the audit log')
    .argument('<rule>', `one of ${policyRules.map(({ name }) => name).join(', ')}`)
    .argument('<value>', 'new value; none removes a limit')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight policy set approve-below 50USD')
    .action((name, value, flags) =>
      withSession(
        context,
        flags,
        async ({ deps, ...session }) => {
          const actor = await session.actor();
          const rule = policyRules.find((one) => one.name === name);
          if (!rule) {
            const names = policyRules.map((one) => one.name).join(', ');
            throw new CliError(`Cannot set ${name}: there is no such rule; use one of ${names}`, exitCodes.usage);
          }
          const { policy: before } = await showPolicy(deps, { actor });
          const { policy: after, version } = await setPolicy(deps, {
            change: settings[rule.name].read(value, before),
            actor,
          });
          if (flags.json) return printJson(context, { version, ...after });
          printLine(context, `${name} ${rule.show(after)} (was ${rule.show(before)})`);
        },
        { home: 'create' },
      ),
    );
}

/** What is known of a rule beside its name: what it does, and how a typed value is read. */
interface Setting {
  readonly does: string;
  /** @throws CliError for a value that it cannot have. */
  readonly read: (value: string, before: Policy) => Partial<Policy>;
}

const billing = ['charged', 'refunded'] as const;

const settings: Readonly<Record<(typeof policyRules)[number]['name'], Setting>> = {
  solo: {
    does: 'someone working alone may approve their own plan',
    read: (value) => ({ solo: parse(z.enum(['yes', 'no']), value, 'yes or no') === 'yes' }),
  },
  'approve-below': {
    does: 'approve automatically below this sum in 24 hours',
    read: (value) => ({ approveBelow: value === 'none' ? null : money(value) }),
  },
  'approval-days': {
    does: 'days until an undecided plan expires',
    read: (value) => ({ approvalDays: whole(value) }),
  },
  'estimate-max-age-hours': {
    does: 'hours after which estimates are refreshed',
    read: (value) => ({ estimateMaxAgeHours: whole(value) }),
  },
  'billing-failed': {
    does: 'assumption: is a failed movie charged?',
    read: (value, before) => ({
      billing: { ...before.billing, failed: parse(z.enum(billing), value, billing.join(' or ')) },
    }),
  },
  'billing-canceled': {
    does: 'assumption: is a movie canceled in progress charged?',
    read: (value, before) => ({
      billing: { ...before.billing, canceled: parse(z.enum(billing), value, billing.join(' or ')) },
    }),
  },
  idempotency: {
    does: 'what the service does with a repeated idempotency key',
    read: (value, before) => ({
      idempotency: { ...before.idempotency, mode: parse(z.enum(idempotencyModes), value, idempotencyModes.join(', ')) },
    }),
  },
  'idempotency-window-hours': {
    does: 'hours the service remembers an idempotency key',
    read: (value, before) => ({ idempotency: { ...before.idempotency, windowHours: whole(value) } }),
  },
  'max-in-flight': {
    does: 'maximum movies in progress at the service',
    read: (value) => ({ maxInFlight: value === 'none' ? null : whole(value) }),
  },
  'assets-wait-hours': {
    does: 'hours to wait for the video of a finished movie',
    read: (value) => ({ assetsWaitHours: whole(value) }),
  },
  'deadline-hours': {
    does: 'hours a movie may be in progress before it is overdue',
    read: (value) => ({ deadlineHours: whole(value) }),
  },
  'cancel-overdue': {
    does: 'cancel movies at the service when they pass their deadline',
    read: (value) => ({ cancelOverdue: parse(z.enum(['yes', 'no']), value, 'yes or no') === 'yes' }),
  },
};

function parse<T>(schema: z.ZodType<T>, value: string, right: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CliError(`Cannot set it to ${value}: it must be ${right}`, exitCodes.usage);
}

function whole(value: string): number {
  return parse(z.coerce.number().int().min(1), value, 'a whole number from 1');
}

function money(value: string): Money {
  const amount = parseMoney(value);
  if (amount) return amount;
  throw new CliError(`Cannot set it to ${value}: it must be an amount with its currency, e.g. 50USD`, exitCodes.usage);
}
