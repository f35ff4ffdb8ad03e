/** `npm run bench`: everything; `npm run bench -- movies films`: those. Figures are of one run on this machine. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  movies: async () => (await import('./movies.js')).benchMovies(),
  manifests: async () => (await import('./manifests.js')).benchManifests(),
  ledger: async () => (await import('./ledger.js')).benchLedger(),
  films: async () => (await import('./films.js')).benchFilms(),
  'studio-api': async () => (await import('./studio-api.js')).benchStudioApi(),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  process.stderr.write(`Cannot bench ${unknown.join(', ')}: there are ${Object.keys(benches).join(', ')}\n`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
  process.stdout.write(`\n== ${name}\n`);
  await benches[name]?.();
}
