import { once } from 'node:events';
import type { CliContext } from './context.js';

/** Writes a long output piece by piece, as fast as whoever reads it takes it. */
export async function writeOut({ stdout }: Pick<CliContext, 'stdout'>, text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain');
}
