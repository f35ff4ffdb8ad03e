import { type ArchiveMark, type ArchiveMarks, isOthers, type LedgerMark } from '../domain/ledger-mark.js';
import type { Actor } from '../domain/roles.js';
import { type Service, serviceDigest } from '../domain/service.js';
import type { RecoveredMovie } from '../ledger/plan/recovered-movies.js';
import { useArchive as changeArchive, type LedgerArchive } from '../ledger/progress/ledger-archive.js';
import * as restored from '../ledger/verification/restored-ledger.js';
import type { Notified, OperationDeps } from './deps.js';
import { nudgeMaking } from './nudge-making.js';

/**
 * Checks whether this ledger may order at all, given what the archive knows. After a "no", no order leaves it, whoever
 * asks, until a person has compared the two.
 *
 * @param archive null when it is on other machines: their workers have checked it
 * @returns why not, or null.
 */
export async function checkArchive(
  { ledger, service, clock }: OperationDeps,
  archive: ArchiveMarks | null,
): Promise<string | null> {
  if (archive === null) return restored.haltedBecause(ledger);
  return restored.checkArchiveMarks(ledger, { marks: await archive.list(), service, nowMs: clock() });
}

/** The books compared with their archive. */
export interface ArchiveComparison {
  /** Why ordering is blocked; null if it is not. */
  readonly halted: string | null;
  readonly own: LedgerMark;
  readonly marks: readonly ArchiveMark[];
}

/** What to check before ordering resumes. */
export async function compareWithArchive(deps: OperationDeps, archive: ArchiveMarks): Promise<ArchiveComparison> {
  const halted = await checkArchive(deps, archive);
  return { halted, own: await restored.ledgerMark(deps.ledger), marks: await archive.list() };
}

/** Returns those of these movies that the books do not know. */
export function moviesNotInBooks({ ledger }: OperationDeps, movieIds: readonly string[]): Promise<ReadonlySet<string>> {
  return restored.moviesNotInBooks(ledger, movieIds);
}

/** A movie in the archive, by its record. */
export interface MovieInArchive {
  readonly batchId: string;
  readonly rowKey: string;
  readonly movieId: string;
  /** Null in older records. */
  readonly order: { readonly service: string; readonly contentDigest: string } | null;
}

export interface LiftHalt {
  readonly archive: ArchiveMarks;
  readonly actor: Actor;
  readonly reason: string;
  /** Movies in the archive that are not in the books. */
  readonly movies: readonly MovieInArchive[];
}

/** Those of these movies that this service made and whose record names their content: not ordered again unasked. */
export function madeBy(service: Service, movies: readonly MovieInArchive[]): readonly RecoveredMovie[] {
  const own = serviceDigest(service);
  return movies.flatMap(({ order, ...movie }) =>
    order?.service === own ? [{ ...movie, contentDigest: order.contentDigest }] : [],
  );
}

/**
 * Resumes ordering once somebody confirms that archive and books were compared. The archive is marked as this ledger's
 * from here on: another one that ordered into it halts when it starts. Movies that it has and the books do not count as
 * duplicates when they are submitted again.
 *
 * @returns what was lifted; null if ordering was not blocked.
 */
export async function reconcileRestored(
  deps: OperationDeps,
  { archive, movies, ...by }: LiftHalt,
): Promise<Notified & { readonly lifted: string | null }> {
  const { ledger, service, clock } = deps;
  const lifted = await restored.reconcileRestored(ledger, {
    ...{ ...by, nowMs: clock(), recovered: { service, movies: madeBy(service, movies) } },
  });
  if (lifted === null) return { lifted, told: true };
  // If this is interrupted from here on, the next start halts again.
  const own = await restored.ledgerMark(ledger);
  for (const mark of await archive.list()) {
    if (mark.ledgerId === own.ledgerId) await archive.write({ ...mark, ...own });
    else if (isOthers(mark, own, service)) await archive.remove(mark);
  }
  const { name, baseUrl } = service;
  await archive.write({ ...own, service: { name, baseUrl } });
  return { lifted, told: await nudgeMaking(deps) };
}

/**
 * Makes this the archive of a shared ledger once somebody confirms it: workers with another one refuse to start.
 *
 * @throws LedgerError without the role.
 */
export function useArchive(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  deed: { readonly archive: LedgerArchive; readonly actor: Actor; readonly reason: string },
): Promise<void> {
  return changeArchive(ledger, { ...deed, nowMs: clock() });
}
