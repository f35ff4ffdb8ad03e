import { Readable } from 'node:stream';
import type { DeskDeps } from '../../../web/desk-deps.js';

const told = async () => true;

/** What a desk is given beside its ledger, where nothing of it is the point of a test. */
export const quietParts = {
  workflows: { startBatch: told, takeUpRows: told, resizeBatch: told, nudgeBatch: told, nudgeSlice: told },
  seeWorkers: async () => ({ temporal: 'there', workers: 1, trouble: null }),
  listWorkers: async () => [
    {
      name: '7@worker-a',
      queues: ['making', 'orders'],
      build: '0.2.0-1a2b3c4d',
      lastSeenMs: Date.UTC(2026, 10, 28, 11, 59),
      isAlive: true,
    },
  ],
  films: { open: async () => Readable.from(['film']), stat: async () => ({ sizeBytes: 4 }) },
  diagnose: async () => [
    { part: 'ledger', ok: true, words: 'newest batch spring-1, audit of 12 verified' },
    {
      part: 'archive',
      ok: false,
      words: 'Cannot save much in /srv/movies: its disk is full but for 3.2 MB; free some space',
    },
  ],
  renewReports: async () => undefined,
  ...{ archiveHere: null, freshSignIn: { withinMs: 15 * 60_000, above: null } },
  movieApi: () => Promise.reject(new Error('not expected in this test')),
} satisfies Partial<DeskDeps>;
