import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { parse } from 'yaml';
import { z } from 'zod';
import { isCurrency } from '../../domain/money.js';
import { requireStudio } from '../../home/require-studio.js';
import type { FaultScript } from '../../studio/faults/script.js';
import type { ServedStudio } from '../../studio/serve.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { say, sayNext } from '../terminal/print.js';

/** `greenlight studio`: serves the reference movie service until it is told to stop. */
export function addStudioCommand(program: Command, context: CliContext): void {
  program
    .command('studio')
    .description('Run the built-in movie service on this machine')
    .option('--port <port>', 'port to listen on; 0 picks a free one', integerFrom(0), 8787)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <folder>', 'folder for jobs, references and films')
    .addOption(
      new Option('--api-key <key>', 'API key that may use it; repeat for several (GREENLIGHT_STUDIO_KEY)')
        .argParser(collect)
        .default([], 'one of its own'),
    )
    .addOption(new Option('--render <kind>', 'render quality').choices(['film', 'draft', 'stub']).default('draft'))
    .option('--concurrency <films>', 'films rendered at once', integerFrom(1), 1)
    .option('--job-seconds <seconds>', 'seconds a stub job takes', numberFrom(0))
    .option('--rate <per second[/burst]>', 'uploads, estimates and creates allowed per key', parseRate)
    .addOption(
      new Option('--idempotency <mode>', 'what a repeated Idempotency-Key does')
        .choices(['replay', 'conflict', 'none'])
        .default('replay'),
    )
    .option('--cents-per-credit <amount>', 'price of a credit in minor units', integerFrom(0))
    .option('--currency <code>', 'currency of its prices', parseCurrency)
    .option('--asset-url-seconds <seconds>', 'seconds an asset URL stays valid', integerFrom(1))
    .option('--faults <file>', 'script of faults to inject, YAML or JSON')
    .option('--books', 'record every request and serve the record at /_studio/books, for the admin key')
    .option('--admin-key <key>', 'key to /_studio/books and /_studio/faults (GREENLIGHT_STUDIO_ADMIN_KEY)')
    .option('--public-url <url>', 'base URL by which clients reach it, ending in /v1 (behind a proxy)', parsePublicUrl)
    .option('--webhook-secret <secret>', 'whsec_… that signs events (GREENLIGHT_STUDIO_WEBHOOK_SECRET)')
    .option('--loopback-webhooks', 'also deliver events to loopback addresses')
    .option('--json', 'print the address as JSON')
    .addHelpText('after', '\nExample:\n  greenlight studio --port 8787 --render film --books')
    .action(async (flags) => {
      requireStudio('Cannot start the studio');
      const served = await serve(flags, context);
      announce(served, flags, context);
      await untilInterrupted(context);
      await served.close();
      say(context, 'Stopped; its movies are kept. Next: greenlight studio, with the same options, continues');
    });
}

async function untilInterrupted(context: CliContext): Promise<void> {
  let unhook = () => {};
  await new Promise<void>((stop) => {
    unhook = context.onInterrupt(() => stop());
  });
  unhook(); // from here on Ctrl-C ends it at once
}

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly data?: string | undefined;
  readonly apiKey: readonly string[];
  readonly render: 'film' | 'draft' | 'stub';
  readonly concurrency: number;
  readonly jobSeconds?: number | undefined;
  readonly rate?: { readonly perSecond: number; readonly burst: number } | undefined;
  readonly idempotency: 'replay' | 'conflict' | 'none';
  readonly centsPerCredit?: number | undefined;
  readonly currency?: string | undefined;
  readonly assetUrlSeconds?: number | undefined;
  readonly faults?: string | undefined;
  readonly books?: true | undefined;
  readonly adminKey?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly webhookSecret?: string | undefined;
  readonly loopbackWebhooks?: true | undefined;
  readonly json?: true | undefined;
}

async function serve(flags: Flags, context: CliContext): Promise<ServedStudio> {
  const { serveStudio } = await import('../../studio/serve.js'); // with its packages, which may be left out
  const dataFolder = dataFolderOf(flags, context);
  const secret = flags.webhookSecret ?? context.env.GREENLIGHT_STUDIO_WEBHOOK_SECRET;
  const { centsPerCredit, currency, rate, assetUrlSeconds, jobSeconds } = flags;
  const apiKeys = await keysOf(flags, context, dataFolder);
  const adminKey = await adminKeyOf(flags, context, dataFolder);
  if (apiKeys.includes(adminKey)) {
    throw new CliError(
      'Cannot start the studio: --admin-key is an API key too; give it a key of its own',
      exitCodes.usage,
    );
  }
  const faults = flags.faults === undefined ? undefined : await readFaults(resolve(context.cwd, flags.faults));
  try {
    return await serveStudio({
      port: flags.port,
      host: flags.host,
      dataFolder,
      apiKeys,
      render: flags.render,
      concurrency: flags.concurrency,
      idempotency: flags.idempotency,
      books: flags.books ?? false,
      adminKey,
      ...(flags.publicUrl !== undefined && { publicUrl: flags.publicUrl }),
      pricing: { ...(currency !== undefined && { currency }), ...(centsPerCredit !== undefined && { centsPerCredit }) },
      webhooks: { allowLoopback: flags.loopbackWebhooks ?? false, ...(secret !== undefined && { secret }) },
      ...(rate && { rate }),
      ...(assetUrlSeconds !== undefined && { assetUrlSeconds }),
      ...(jobSeconds !== undefined && { jobSeconds }),
      ...(faults && { faults }),
      onError: (error) => context.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`Cannot start the studio: ${message}`, exitCodes.usage, { cause });
  }
}

function announce({ url, port }: ServedStudio, flags: Flags, context: CliContext): void {
  if (flags.json) {
    context.stdout.write(
      `${JSON.stringify({ url, port, render: flags.render, data: dataFolderOf(flags, context) })}\n`,
    );
    return;
  }
  context.stdout.write(`The studio listens at ${url}\n`);
  const page = url.replace(/\/v1$/, '/');
  say(context, `Its interface is described at ${page}, its data are in ${dataFolderOf(flags, context)}`);
  if (flags.apiKey.length === 0 && !context.env.GREENLIGHT_STUDIO_KEY) {
    say(context, `Its API key is in ${keyFileOf(dataFolderOf(flags, context), 'api-key')}`);
  }
  if (flags.books && flags.adminKey === undefined && !context.env.GREENLIGHT_STUDIO_ADMIN_KEY) {
    say(context, `Its admin key is in ${keyFileOf(dataFolderOf(flags, context), 'admin-key')}`);
  }
  sayNext(
    context,
    `in another terminal, GREENLIGHT_HOME=.greenlight MOVIE_API_URL=${url} MOVIE_API_KEY=<key> greenlight doctor`,
  );
}

function dataFolderOf({ data }: Pick<Flags, 'data'>, { cwd, env }: CliContext): string {
  return resolve(cwd, data ?? join(env.GREENLIGHT_HOME ?? '.greenlight', 'studio'));
}

async function keysOf({ apiKey }: Flags, { env }: CliContext, dataFolder: string): Promise<readonly string[]> {
  if (apiKey.length > 0) return apiKey;
  return env.GREENLIGHT_STUDIO_KEY ? [env.GREENLIGHT_STUDIO_KEY] : [await ownKey(dataFolder, 'api-key')];
}

async function adminKeyOf({ adminKey }: Flags, { env }: CliContext, dataFolder: string): Promise<string> {
  return adminKey ?? env.GREENLIGHT_STUDIO_ADMIN_KEY ?? ownKey(dataFolder, 'admin-key');
}

type OwnKey = 'api-key' | 'admin-key';

const keyFileOf = (dataFolder: string, name: OwnKey) => join(dataFolder, name);

/** Made at the first start without such a key; readable by its owner only. */
async function ownKey(dataFolder: string, name: OwnKey): Promise<string> {
  await mkdir(dataFolder, { recursive: true });
  const key = `studio_${randomBytes(24).toString('base64url')}`;
  try {
    await writeFile(keyFileOf(dataFolder, name), `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readFile(keyFileOf(dataFolder, name), 'utf8')).trim();
  }
}

async function readFaults(path: string): Promise<FaultScript> {
  const { FaultScript } = await import('../../studio/faults/script.js');
  try {
    return FaultScript.parse(parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const message = cause instanceof z.ZodError ? z.prettifyError(cause) : cause instanceof Error ? cause.message : '';
    throw new CliError(`Cannot use the faults in ${path}: ${message}`, exitCodes.usage, { cause });
  }
}

function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}

function integerFrom(least: number) {
  return (value: string): number => {
    if (!/^\d+$/.test(value) || Number(value) < least)
      throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
    return Number(value);
  };
}

function numberFrom(least: number) {
  return (value: string): number => {
    if (value.trim() === '' || !(Number(value) >= least))
      throw new InvalidArgumentError(`It must be a number from ${least}.`);
    return Number(value);
  };
}

function parsePublicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  const right = url && /^https?:$/.test(url.protocol) && /\/v1\/?$/.test(url.pathname) && !url.search && !url.hash;
  if (!right) throw new InvalidArgumentError('It must be an http or https address that ends in /v1.');
  return url.href.replace(/\/$/, '');
}

function parseCurrency(value: string): string {
  const code = value.toUpperCase();
  if (!isCurrency(code)) throw new InvalidArgumentError('It must be a currency code of ISO 4217, e.g. USD.');
  return code;
}

function parseRate(value: string): { readonly perSecond: number; readonly burst: number } {
  const [, perSecond, burst] = /^(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(value) ?? [];
  if (!(Number(perSecond) > 0)) throw new InvalidArgumentError('It must be like 10 or 10/20.');
  return {
    perSecond: Number(perSecond),
    burst: burst === undefined ? Math.max(1, Math.ceil(Number(perSecond))) : Math.max(1, Number(burst)),
  };
}
