import { Hono } from 'hono';
import { type Operation, routes } from '../api/contract.js';
import type { OperationName } from './faults/script.js';
import { json } from './http/json.js';
import { newId } from './ids.js';
import type { Handler, Target } from './operations/pipeline.js';
import { Problem } from './problem.js';

export interface AppDeps {
  readonly handlers: Readonly<Record<OperationName, Handler>>;
  readonly serve: (request: Request, target: Target) => Promise<Response>;
  /** Pages outside the interface, by method and path. */
  readonly pages: readonly {
    readonly method: 'GET' | 'PUT';
    readonly path: string;
    readonly answer: (request: Request) => Promise<Response>;
  }[];
}

/** The interface's paths, each answering its own method and refusing the others. */
export function createApp({ handlers, serve, pages }: AppDeps): Hono {
  const app = new Hono();
  const on = (method: string, path: string, answer: (request: Request, id: string) => Promise<Response>) => {
    app.on(method, path, (c) => answer(c.req.raw, c.req.param('id') ?? ''));
    // Registered right here, so that GET /movies/estimate is refused before a later path takes `estimate` for an id.
    app.all(path, (c) => problemAnswer(notAllowed(c.req.method, method)));
  };
  for (const operation of Object.keys(routes) as Operation[]) {
    const { method, path } = routes[operation];
    const handler = handlers[operation];
    on(method, `/v1${path.replace(/\{\w+\}/, ':id')}`, (request, id) => serve(request, { operation, handler, id }));
  }
  on('GET', '/v1/files/:id', (request, id) =>
    serve(request, { operation: 'downloadAsset', handler: handlers.downloadAsset, id }),
  );
  for (const { method, path, answer } of pages) on(method, path, answer);
  // A connection to break is an error for the server that runs the app, not an answer.
  app.onError((error) => {
    throw error;
  });
  return app.notFound((c) =>
    problemAnswer(new Problem('not_found', `Cannot serve request: there is no ${c.req.path}`)),
  );
}

function notAllowed(asked: string, method: string): Problem {
  const Allow = method === 'GET' ? 'GET, HEAD' : method;
  return new Problem('method_not_allowed', `Cannot serve request: ${asked} is not allowed here, ${Allow} is`, {
    Allow,
  });
}

export function problemAnswer({ status, code, message, headers }: Problem): Response {
  const request_id = newId('req');
  return json(status, { error: { code, message, request_id } }, { ...headers, 'X-Request-Id': request_id });
}
