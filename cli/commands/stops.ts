import type { Command } from '@commander-js/extra-typings';
import type { StopKind } from '../../domain/stop.js';
import { readBatch } from '../../operations/batches.js';
import type { Notified, OperationDeps } from '../../operations/deps.js';
import { goOn, pause, resume, type StopInput } from '../../operations/stops.js';
import { stopWords } from '../../reports/wording/stop-words.js';
import { warnNotNotified } from '../session/notified.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine, sayNext } from '../terminal/print.js';

interface StopCommand {
  readonly name: string;
  readonly does: string;
  readonly done: string;
  /** What it ends; null for what begins one. */
  readonly ends: readonly StopKind[] | null;
  readonly example: string;
  readonly act: (deps: OperationDeps, input: StopInput) => Promise<Notified>;
}

/** `greenlight pause`: admits nothing more of a batch. */
export function addPauseCommand(program: Command, context: CliContext): void {
  addStopCommand(program, context, {
    name: 'pause',
    does: 'Stop placing new orders for a batch; movies in progress go on and are saved',
    done: 'paused: no new orders',
    ends: null,
    example: 'greenlight pause spring-launch-3 --reason "wrong logo"',
    act: pause,
  });
}

/** `greenlight resume`: ends a pause, or a stop for refused credentials. */
export function addResumeCommand(program: Command, context: CliContext): void {
  addStopCommand(program, context, {
    name: 'resume',
    does: 'End a pause, or a stop for refused credentials after the credentials are fixed',
    done: 'resumed',
    ends: ['paused', 'credentials'],
    example: 'greenlight resume spring-launch-3',
    act: resume,
  });
}

/** `greenlight continue`: goes on after a canary or after too many failures. */
export function addContinueCommand(program: Command, context: CliContext): void {
  addStopCommand(program, context, {
    name: 'continue',
    does: 'Continue after the canary rows, or after more failures than tolerated',
    done: 'continues',
    ends: ['canary', 'tripped'],
    example: 'greenlight continue spring-launch-3 --reason "canary looks right"',
    act: goOn,
  });
}

function addStopCommand(program: Command, context: CliContext, command: StopCommand): void {
  const { name, does, done, ends, example, act } = command;
  program
    .command(name)
    .description(does)
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .option('--reason <words>', 'reason, kept in the audit log')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', `\nExample:\n  ${example}`)
    .action((batchId, flags) =>
      withSession(context, flags, async ({ deps, ...session }) => {
        const { reason } = flags;
        const actor = await session.actor();
        const before = (await readBatch(deps, { batchId, actor })).batch.stops;
        const told = await act(deps, { batchId, actor, ...(reason !== undefined && { reason }) });
        const { batch } = await readBatch(deps, { batchId, actor });
        const { stops } = batch;
        if (flags.json) return printJson(context, { batch: batchId, stops, told: told.told });
        const changes = ends === null || before.some(({ kind }) => ends.includes(kind));
        printLine(context, changes ? `${batchId} ${done}` : `${batchId} had nothing to ${name} from; nothing changed`);
        for (const stop of stops) printLine(context, stopWords(stop));
        warnNotNotified(context, told);
        if (told.told && stops.length === 0) sayNext(context, `greenlight status ${batchId} --watch`);
      }),
    );
}
