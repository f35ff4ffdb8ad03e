import { checkArchive } from '../../operations/restored.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import type { Session } from './session.js';

/**
 * A ledger that is behind its archive orders nothing, and takes nothing in that would be ordered.
 *
 * @throws CliError (3) that says what to do.
 */
export async function requireOwnArchive({ deps, installation }: Session): Promise<void> {
  // Whoever hands a sheet to a shared ledger may do so from anywhere: the archive is where the workers are.
  const isHere = deps.ledger.dialect === 'sqlite';
  const halted = await checkArchive(deps, isHere ? installation.marks : null);
  if (halted !== null) throw new CliError(haltWords(halted), exitCodes.stopped);
}

/** The one line that says what stands in the way and what to do. */
export function haltWords(halted: string): string {
  return `Cannot order: ${halted}; see "greenlight reconcile restored"`;
}
