#!/usr/bin/env node
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runProgram } from './program.js';
import type { CliContext } from './terminal/context.js';
import { type ExitCode, exitCodes } from './terminal/exit-codes.js';
import { leaveUnread, onInterrupt } from './terminal/interrupts.js';

/** The rim of the process: everything below is handed what it may touch. */
const context: CliContext = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  program: [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)],
  setExitCode(code: ExitCode) {
    process.exitCode = code;
  },
  onInterrupt,
};

// `greenlight status | head` closes our output early, as a terminal does that is closed (EIO): that is no fault, and
// nobody is left to tell.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    leaveUnread();
  });
}

const { version } = createRequire(import.meta.url)('#root/package.json') as { version: string };
await runProgram(process.argv.slice(2), context, version);
// Whoever left does not wait for what is still being put down.
if (process.exitCode === exitCodes.interrupted) process.exit();
