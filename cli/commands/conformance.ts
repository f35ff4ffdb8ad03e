import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { Violation } from '../../conformance/clause.js';
import { junitXml } from '../../conformance/junit.js';
import {
  announcedCreates,
  type ClauseResult,
  type ConformanceReport,
  estimateRun,
  type RunEstimate,
  runConformance,
} from '../../conformance/run-conformance.js';
import type { Service } from '../../conformance/service.js';
import { formatMoney } from '../../domain/money.js';
import { printable } from '../../reports/wording/printable.js';
import { openJudgedService, type ServiceFlags } from '../session/judged-service.js';
import { ask, canAsk } from '../terminal/ask.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, type ExitCode, exitCodes } from '../terminal/exit-codes.js';
import { createPaint } from '../terminal/paint.js';
import { printJson, printLine, say } from '../terminal/print.js';

/** `greenlight conformance`: judges a movie service by the specification, clause by clause. */
export function addConformanceCommand(program: Command, context: CliContext): void {
  program
    .command('conformance')
    .description('Check a movie service against the API contract, and find what it does with a repeated key')
    .option('--url <url>', 'base URL of the service, with its version (default: the built-in studio)')
    .option('--key <key>', 'API key (MOVIE_API_KEY)')
    .option('--other-key <key>', 'API key of another account, which must see nothing of the first one')
    .option('--webhook-url <url>', 'https address that reaches this machine, to test events')
    .option('--webhook-listen <host:port>', 'where this machine receives what is sent to that address')
    .option('--patience <seconds>', 'seconds to wait for the movie that has to be completed', parseSeconds, 600)
    .option('-y, --yes', 'skip the confirmation before making movies on a service other than the studio')
    .option('--json', 'output the report as JSON')
    .option('--junit <file>', 'also write the report as JUnit XML')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight conformance --url https://api.example.com/v1 --key "$KEY" --junit report.xml',
    )
    .action(async (flags) => {
      const opened = await openJudgedService(flags, context.env);
      try {
        await agree(opened.service, flags, context);
        const report = await judge(opened.service, flags, context);
        if (flags.junit !== undefined) {
          await writeFile(resolve(context.cwd, flags.junit), junitXml(report, opened.service.baseUrl));
        }
        context.setExitCode(exitCodeOf(report));
      } finally {
        await opened.close();
      }
    });
}

interface Flags extends ServiceFlags {
  readonly patience: number;
  readonly yes?: true | undefined;
  readonly json?: true | undefined;
}

/** Says what the run may cost, and goes on only with consent where that is money. */
async function agree(service: Service, { yes }: Flags, context: CliContext): Promise<void> {
  const estimate = await priceOf(service);
  const { orders, refusals } = announcedCreates();
  const price = estimate === null ? 'at a price it did not state' : `${formatMoney(estimate)} by its own estimate`;
  say(
    context,
    `Checking ${service.baseUrl}: orders at most ${orders.length} movies (${price}) and cancels what is not needed; sends ${refusals} creates that must be refused`,
  );
  if (estimate?.isStudio || yes) return;
  if (!canAsk(context)) {
    throw new CliError(
      'Cannot check the service: making movies there may cost money; add --yes to agree',
      exitCodes.stopped,
    );
  }
  if (!/^y(es)?$/i.test(await ask(context, 'Go on? [y/N] '))) throw new CliError('Nothing was made', exitCodes.stopped);
}

async function priceOf(service: Service): Promise<RunEstimate | null> {
  try {
    return await estimateRun(service);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const status = /^answered (\d+)/.exec(error.message)?.[1];
    if (error.message === 'did not answer' || status === '401' || status === '403') {
      const received = printable(error.exchange?.received ?? '');
      throw new CliError(
        `Cannot check the service: ${service.baseUrl} ${error.message} (${received})`,
        exitCodes.unreachable,
      );
    }
    return null;
  }
}

async function judge(service: Service, { json, patience }: Flags, context: CliContext): Promise<ConformanceReport> {
  const onResult = json ? () => undefined : (result: ClauseResult) => printResult(result, context);
  const stopping = new AbortController();
  const stopListening = context.onInterrupt(() => {
    say(context, 'Stopping: canceling what was made');
    stopping.abort();
  });
  const { signal } = stopping;
  const report = await runConformance(service, { patienceMs: patience * 1000, onResult, signal }).finally(
    stopListening,
  );
  if (json) printJson(context, { service: service.baseUrl, ...report });
  else printSummary(report, context);
  return report;
}

function printResult({ section, says, outcome }: ClauseResult, context: CliContext): void {
  const paint = createPaint(context.stdout, context.env);
  switch (outcome.result) {
    case 'passed':
      printLine(context, `${paint('good', 'passed')}        ${section}: ${says}`);
      break;
    case 'not testable':
      printLine(context, `${paint('quiet', 'not testable')}  ${section}: ${says} (${outcome.reason})`);
      break;
    case 'failed':
      printLine(context, `${paint('bad', 'failed')}        ${section}: ${says}`);
      printLine(context, `                The service ${printable(outcome.problem)}`);
      printBlock('sent', outcome.exchange?.sent, context);
      printBlock('received', outcome.exchange?.received, context);
  }
}

function printBlock(name: string, text: string | undefined, context: CliContext): void {
  (text ?? '').split('\n').forEach((line, index) => {
    if (line !== '') printLine(context, `      ${(index === 0 ? name : '').padEnd(8)}  ${printable(line)}`);
  });
}

function printSummary({ results, idempotency, creates, leftOver }: ConformanceReport, context: CliContext): void {
  const count = (result: ClauseResult['outcome']['result']) =>
    results.filter(({ outcome }) => outcome.result === result).length;
  printLine(context);
  printLine(context, `${count('passed')} passed, ${count('failed')} failed, ${count('not testable')} not testable`);
  printLine(context, `Repeated Idempotency-Key: ${wordsFor(idempotency)}`);
  printLine(
    context,
    `Sent ${creates.sent} of at most ${creates.announced} creates; ${creates.accepted.length} movies were made`,
  );
  if (leftOver.length > 0) printLine(context, `Not canceled: ${leftOver.map(printable).join(', ')}`);
}

function wordsFor(finding: ConformanceReport['idempotency']): string {
  switch (finding?.sameRequest) {
    case 'replay':
      return `replay, the same movie again; under another request ${finding.otherRequest}`;
    case 'conflict':
      return 'conflict, the repeat is refused';
    case 'none':
      return 'none, a second movie: a create whose answer was lost must not be sent again';
    default:
      return 'unknown';
  }
}

function exitCodeOf({ results, interrupted }: ConformanceReport): ExitCode {
  if (interrupted) return exitCodes.interrupted;
  return results.some(({ outcome }) => outcome.result === 'failed') ? exitCodes.incomplete : exitCodes.ok;
}

function parseSeconds(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It must be a whole number of seconds.');
  return Number(value);
}
