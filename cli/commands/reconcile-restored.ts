import type { Command } from '@commander-js/extra-typings';
import { type ArchivedMovie, archivedMovies } from '../../archive/archived-movies.js';
import { aheadOf, type LedgerMark } from '../../domain/ledger-mark.js';
import type { Service } from '../../domain/service.js';
import {
  type ArchiveComparison,
  compareWithArchive,
  madeBy,
  moviesNotInBooks,
  reconcileRestored,
} from '../../operations/restored.js';
import { printable } from '../../reports/wording/printable.js';
import { warnNotNotified } from '../session/notified.js';
import { homeOption, type Session, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { printJson, printLine } from '../terminal/print.js';
import { alignColumns } from '../terminal/text-width.js';

/** Movies that are shown one by one. */
const shownMovies = 20;

/** `greenlight reconcile restored`: a ledger from a backup, or a new one, beside an archive that knows more. */
export function addReconcileRestoredCommand(reconcile: Command, context: CliContext): void {
  reconcile
    .command('restored')
    .description('Compare a restored ledger with its archive; with --reason, resume ordering')
    .option('--reason <words>', 'why ordering may resume; kept in the audit log')
    .option('--json', 'output JSON with every movie')
    .addOption(homeOption())
    .addHelpText(
      'after',
      '\nExample:\n  greenlight reconcile restored\n  greenlight reconcile restored --reason "backup of Monday; its two movies are left out of the sheet"',
    )
    .action((flags) =>
      withSession(context, flags, async (session) => {
        const comparison = await compareWithArchive(session.deps, session.installation.marks);
        const movies = await strangeMovies(session);
        const lift = flags.reason === undefined ? null : await liftHalt(session, { reason: flags.reason, movies });
        const lifted = lift !== null && lift.lifted !== null;
        if (flags.json) printJson(context, comparisonJson(comparison, { movies, lifted }));
        else
          for (const line of comparisonLines(comparison, { movies, service: session.deps.service }))
            printLine(context, line);
        if (lift) warnNotNotified(context, lift);
        if (comparison.halted !== null && !lifted) {
          const command = 'greenlight reconcile restored --reason "…"';
          throw new CliError(
            `Ordering stays blocked until someone confirms with --reason: ${command}`,
            exitCodes.stopped,
          );
        }
        if (lifted && !flags.json) printLine(context, 'Ordering resumes; the archive now belongs to this ledger');
      }),
    );
}

async function liftHalt(
  { deps, installation, actor }: Session,
  lift: { readonly reason: string; readonly movies: readonly ArchivedMovie[] },
) {
  return reconcileRestored(deps, { ...lift, archive: installation.marks, actor: await actor() });
}

/** Asked for in parts: an archive may have more movies than one question takes. */
const moviesAtOnce = 10_000;

async function strangeMovies({ deps, installation }: Session): Promise<readonly ArchivedMovie[]> {
  const strange: ArchivedMovie[] = [];
  let part: ArchivedMovie[] = [];
  const sort = async () => {
    const unknown = await moviesNotInBooks(
      deps,
      part.map(({ movieId }) => movieId),
    );
    strange.push(...part.filter(({ movieId }) => unknown.has(movieId)));
    part = [];
  };
  for await (const movie of archivedMovies(installation.archive)) {
    part.push(movie);
    if (part.length === moviesAtOnce) await sort();
  }
  await sort();
  return strange;
}

function comparisonLines(
  { halted, own, marks }: ArchiveComparison,
  { movies, service }: { readonly movies: readonly ArchivedMovie[]; readonly service: Service },
): string[] {
  if (halted === null) return ['Nothing is blocked: the ledger has every order the archive has'];
  const rows = marks.map(({ service, ...mark }) => [
    'archive',
    mark.ledgerId === own.ledgerId ? 'this ledger' : `ledger ${printable(mark.ledgerId).slice(0, 8)}`,
    howFar(mark),
    printable(service.name),
  ]);
  const shown = movies.slice(0, shownMovies);
  const more = movies.length - shown.length;
  return [
    `Halted: ${halted}`,
    ...alignColumns([['books', 'this ledger', howFar(own)], ...rows]),
    ...(movies.length === 0
      ? ['every movie in the archive is in the ledger']
      : ['in the archive and not in the ledger:']),
    ...alignColumns(shown.map(({ batchId, rowKey, movieId }) => [`  ${batchId}`, rowKey, printable(movieId)])),
    ...(more === 0 ? [] : [`  and ${more.toLocaleString('en-US')} more: --json`]),
    ...(aheadOf(own, marks) === null
      ? []
      : ['Rows waiting in the copy may have been ordered since: repeated under the same key, else unknown']),
    ...submittedAgain(movies, madeBy(service, movies).length),
  ];
}

/** What becomes of a sheet that somebody submits once more. */
function submittedAgain({ length: all }: readonly ArchivedMovie[], named: number): readonly string[] {
  const again = 'the same movie while the service remembers its idempotency key, a second movie after that';
  if (named === 0) return [`If submitted again: ${again}`];
  const count = named.toLocaleString('en-US');
  const who = named < all ? `${count} of them are` : all === 1 ? 'It is' : 'They are';
  const leftOut = `left out as ${named === 1 ? 'a duplicate' : 'duplicates'}`;
  return [
    `${who} ${leftOut} if submitted again; --allow-duplicates orders ${named === 1 ? 'it' : 'them'} once more`,
    `Any other order of the lost ledger, if submitted again: ${again}`,
  ];
}

function howFar({ sequence, sends }: LedgerMark): string {
  return sends === undefined ? `entry ${sequence}` : `entry ${sequence}, send ${sends}`;
}

function comparisonJson(
  { halted, own, marks }: ArchiveComparison,
  { movies, lifted }: { readonly movies: readonly ArchivedMovie[]; readonly lifted: boolean },
) {
  return {
    ...{ halted, lifted },
    ledger: { id: own.ledgerId, sequence: own.sequence, sends: own.sends },
    archive: marks.map(({ ledgerId, sequence, sends, service }) => ({
      ...{ ledger: ledgerId, sequence, sends, service: service.name },
    })),
    movies_not_in_books: movies.map(({ batchId, rowKey, movieId }) => ({
      ...{ batch: batchId, id: rowKey, movie_id: movieId },
    })),
  };
}
