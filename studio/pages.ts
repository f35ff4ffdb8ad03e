import type { AppDeps } from './app.js';
import { problemAnswer } from './app.js';
import type { Books } from './books.js';
import { openApiDocument } from './docs/openapi.js';
import { docsPage } from './docs/page.js';
import type { Faults } from './faults/faults.js';
import { FaultScript } from './faults/script.js';
import { readBody } from './http/body.js';
import { json, parseJson } from './http/json.js';
import { MemoryAnswer } from './http/memory-answer.js';
import { Problem } from './problem.js';

export interface PagesDeps {
  /** Throws for callers who may not use books and faults; null when nobody may. */
  readonly checkAdmin: ((request: Request) => void) | null;
  readonly faults: Faults;
  /** Null: the books are not shown. */
  readonly books: (() => Books) | null;
  /** Ends in `/v1`; null to take it from the request. */
  readonly publicUrl: string | null;
}

const scriptLimits = { maxBytes: 1024 * 1024, timeoutMs: 10_000 };

/** The studio's pages outside the interface: its description for everybody, the rest for the admin key. */
export function createPages(deps: PagesDeps): AppDeps['pages'] {
  const { checkAdmin, publicUrl } = deps;
  const document = (request: Request) => openApiDocument(publicUrl ?? `${new URL(request.url).origin}/v1`);
  return [
    { method: 'GET', path: '/openapi.json', answer: async (request) => json(200, document(request)) },
    { method: 'GET', path: '/v1/openapi.json', answer: async (request) => json(200, document(request)) },
    { method: 'GET', path: '/', answer: async (request) => html(docsPage(document(request))) },
    ...(checkAdmin ? adminPages(checkAdmin, deps) : []),
  ];
}

function adminPages(checkAdmin: (request: Request) => void, { books, faults }: PagesDeps): AppDeps['pages'] {
  const guarded = (answer: (request: Request) => Promise<Response>) => async (request: Request) => {
    try {
      checkAdmin(request);
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

function html(page: string): Response {
  return new MemoryAnswer(page, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}
