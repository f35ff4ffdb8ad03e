/**
 * How many cases a property is tried with: all of them in `npm run test:all`, a quarter at every commit. The cases are
 * others in each run.
 */
export function runs(all: number): number {
  return process.env.GREENLIGHT_ALL_RUNS === 'true' ? all : Math.ceil(all / 4);
}
