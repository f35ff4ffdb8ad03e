/**
 * `npm run bench`: everything; `npm run bench -- movies films`: those. Figures are of one run on this machine, with
 * `--runs=3` the medians of so many. `--report` writes them into `docs/bench.md` (of one alone: `docs/bench-<name>.md`),
 * `--small` is for a machine that others use too. `--in-flight=10000` is how many movies `in-flight` has made at once,
 * `--rows=10000000` how many rows `large` puts into a ledger (4.4 kB of disk each).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beginSection, dropSection, writeReport } from './report.js';

const benches: Readonly<Record<string, () => Promise<void>>> = {
  movies: async () => (await import('./movies.js')).benchMovies({ small: isSmall }),
  'in-flight': async () => (await import('./in-flight.js')).benchInFlight({ movies: inFlight }),
  manifests: async () => (await import('./manifests.js')).benchManifests(),
  ledger: async () => (await import('./ledger/ledger.js')).benchLedger(),
  large: async () => (await import('./ledger/large.js')).benchLarge({ rows: largeRows }),
  contention: async () => (await import('./ledger/contention.js')).benchContention({ small: isSmall }),
  desk: async () => (await import('./desk/desk.js')).benchDesk({ small: isSmall }),
  polling: async () => (await import('./polling.js')).benchPolling(),
  films: async () => (await import('./films.js')).benchFilms(),
  'studio-api': async () => (await import('./studio-api.js')).benchStudioApi(),
};

const isReport = process.argv.includes('--report');
const isSmall = process.argv.includes('--small');
const inFlight = numberOf('in-flight') ?? (isSmall ? 500 : 2_000);
const largeRows = numberOf('rows') ?? (isSmall ? 100_000 : 1_000_000);
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  process.stderr.write(`Cannot bench ${unknown.join(', ')}: there are ${Object.keys(benches).join(', ')}\n`);
  process.exit(2);
}

// All of it lies in one folder that goes at the end: ext4 looks past each file that was removed in the last five minutes
// before it makes one, so whoever runs after a clean-up would pay ten times for every new file.
process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'greenlight-bench-'));
const folder = process.env.TMPDIR;
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

// A ledger of millions of rows takes long and much disk: only where it is asked for.
const chosen = asked.length > 0 ? asked : Object.keys(benches).filter((each) => each !== 'large');
// One alone has a page of its own, so that it leaves the figures of the others.
const page = asked.length === 1 ? `bench-${asked[0]}` : 'bench';
for (let run = 1; run <= (numberOf('runs') ?? 1); run += 1) {
  // A simulation shows the same each time.
  for (const name of run === 1 ? chosen : chosen.filter((each) => each !== 'polling')) await shown(name);
  if (isReport) writeReport(fileURLToPath(new URL('../docs', import.meta.url)), page);
}

/** One that fails leaves the figures of the others, which take an hour. */
async function shown(name: string): Promise<void> {
  beginSection(name);
  try {
    await benches[name]?.();
  } catch (error) {
    dropSection();
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
}

function numberOf(flag: string): number | null {
  const given = process.argv.find((word) => word.startsWith(`--${flag}=`));
  return given === undefined ? null : Number(given.slice(flag.length + 3));
}
