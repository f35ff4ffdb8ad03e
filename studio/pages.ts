import type { Authenticate } from './api-keys.js';
import type { AppDeps } from './app.js';
import { problemAnswer } from './app.js';
import type { Books } from './books.js';
import type { Faults } from './faults/faults.js';
import { FaultScript } from './faults/script.js';
import { readBody } from './http/body.js';
import { json, parseJson } from './http/json.js';
import { Problem } from './problem.js';

export interface PagesDeps {
  readonly authenticate: Authenticate;
  readonly faults: Faults;
  /** Null: the books are not shown. */
  readonly books: (() => Books) | null;
}

const scriptLimits = { maxBytes: 1024 * 1024, timeoutMs: 10_000 };

/** What the studio tells beside the interface. Each page needs an API key, as the interface does. */
export function createPages({ authenticate, faults, books }: PagesDeps): AppDeps['pages'] {
  const guarded = (answer: (request: Request) => Promise<Response>) => async (request: Request) => {
    try {
      authenticate(request);
      return await answer(request);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return problemAnswer(error);
    }
  };
  return [
    ...(books
      ? [{ method: 'GET', path: '/_studio/books', answer: guarded(async () => json(200, books())) } as const]
      : []),
    {
      method: 'PUT',
      path: '/_studio/faults',
      answer: guarded(async (request) => {
        const contentType = request.headers.get('content-type');
        const bytes = await readBody(request, scriptLimits);
        faults.set(parseJson(bytes, { schema: FaultScript, action: 'Cannot set faults', contentType }));
        return new Response(null, { status: 204 });
      }),
    },
  ];
}
