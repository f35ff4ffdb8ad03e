import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { openSuite, type Suite } from '../../conformance/run-conformance.js';
import type { Service } from '../../conformance/service.js';

// A service may be slow, and films take their time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

export interface OpenedService extends Omit<Service, 'sleep'> {
  close(): Promise<void>;
}

/** What any movie service must do, clause by clause of the specification. */
export function movieApiSuite(name: string, open: () => Promise<OpenedService>): void {
  describe(name, () => {
    let suite: Suite;
    let service: OpenedService;
    beforeAll(async () => {
      service = await open();
      const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 50)));
      suite = openSuite({ ...service, sleep }, { patienceMs: 60_000 });
    });
    afterAll(async () => {
      await suite.session.cleanUp();
      await service.close();
    });

    const named = openSuite(
      { baseUrl: '', apiKey: '', fetch: unasked, sleep: async () => undefined },
      { patienceMs: 0 },
    );
    test.for(
      named.clauses.map((clause, index) => ({ index, title: `${clause.section}: ${clause.says} (${clause.id})` })),
    )('$title', async ({ index }, { skip }) => {
      const clause = suite.clauses[index];
      if (!clause) throw new Error('Cannot test clause: there is none');
      const outcome = await suite.check(clause);
      if (outcome.result === 'not testable') skip(outcome.reason);
      if (outcome.result === 'failed') {
        const { problem, exchange } = outcome;
        throw new Error(`The service ${problem}\n${exchange?.sent ?? ''}\n\n${exchange?.received ?? ''}`);
      }
    });
  });
}

function unasked(): Promise<Response> {
  return Promise.reject(new Error('Cannot fetch: this suite only names its clauses'));
}
