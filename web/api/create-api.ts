import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { addressOf } from '../client-address.js';
import type { ApiDeps } from './api-deps.js';
import type { Answer, ApiRoute } from './api-route.js';
import { callerOf } from './bearer.js';
import { docsPage, docsPolicy, docsStyle } from './docs/docs-page.js';
import { openApiDocument } from './docs/openapi.js';
import { explainFailure } from './explain-failure.js';
import { ApiProblem, problemAnswer } from './problem.js';
import { readJson } from './read-json.js';
import { routes } from './routes.js';

/**
 * The interface for other systems, to be mounted at `/api/v1`. Who calls is told by the token of a person; what they may
 * do and see is what they may anywhere.
 */
export function createApi(deps: ApiDeps): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('Cache-Control', 'no-store');
    c.res.headers.set('X-Content-Type-Options', 'nosniff');
  });
  app.get('/openapi.json', (c) => c.json(openApiDocument(baseOf(c, '/openapi.json'))));
  app.get('/docs', (c) => {
    c.header('Content-Security-Policy', docsPolicy);
    return c.html(docsPage(openApiDocument(baseOf(c, '/docs'))));
  });
  app.get('/docs.css', (c) => c.body(docsStyle, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  for (const path of new Set(routes.map((route) => route.path))) {
    const theirs = routes.filter((route) => route.path === path);
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const route of theirs) app[route.method](pattern, (c) => answer(deps, route, c));
    app.all(pattern, (c) => refuseMethod(c, theirs));
  }
  for (const path of ['/openapi.json', '/docs', '/docs.css'])
    app.all(path, (c) => refuseMethod(c, [{ method: 'get' }]));
  // Not `notFound`, which is lost where it is mounted.
  return app.all('*', (c) => refuse(new ApiProblem('not-found', `There is no ${c.req.method} ${c.req.path}`)));
}

/** Where it is mounted, as the client sees it. */
function baseOf(c: Context, path: string): string {
  return c.req.path.slice(0, -path.length);
}

async function answer(deps: ApiDeps, route: ApiRoute, c: Context): Promise<Response> {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`;
  try {
    const { raw: request } = c.req;
    const caller = await callerOf(deps, request, addressOf(c));
    const path = c.req.param() as Record<string, string>; // the pattern's own names
    checkPath(path);
    const query = parse(route.query, queryOf(c), 'the query');
    const body = route.body && parse(route.body, await readJson(request), 'the body');
    return withId(toResponse(await route.handle({ ...caller, deps, path, query, body, request })), requestId);
  } catch (error) {
    const problem = explainFailure(error);
    if (problem.problem === 'internal') deps.onError?.(error, requestId);
    return withId(problemAnswer(problem, requestId), requestId);
  }
}

function toResponse(answered: Answer): Response {
  if (answered instanceof Response) return answered;
  const { status, body, location } = answered;
  const headers = { 'Content-Type': 'application/json', ...(location && { Location: location }) };
  return new Response(JSON.stringify(body), { status, headers });
}

function withId(response: Response, requestId: string): Response {
  response.headers.set('X-Request-Id', requestId);
  return response;
}

function refuse(problem: ApiProblem): Response {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`;
  return withId(problemAnswer(problem, requestId), requestId);
}

function refuseMethod(c: Context, routesHere: readonly Pick<ApiRoute, 'method'>[]): Response {
  const methods = routesHere.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : ['POST']));
  const allow = methods.join(', ');
  const response = refuse(
    new ApiProblem('method-not-allowed', `Cannot ${c.req.method} ${c.req.path}: it takes ${allow}`),
  );
  response.headers.set('Allow', allow);
  return response;
}

/** A database takes no NUL; no id has one. */
function checkPath(path: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(path)) {
    if (value.includes('\0'))
      throw new ApiProblem('invalid-request', `Cannot use the path: ${name} has a NUL character`);
  }
}

/** A name that comes once is a text, one that comes several times a list. */
function queryOf(c: Context): Record<string, unknown> {
  const entries = Object.entries(c.req.queries());
  return Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

function parse(schema: z.ZodType | undefined, value: unknown, what: string): unknown {
  if (!schema) {
    const names = Object.keys(value as object);
    if (names.length === 0) return {};
    throw new ApiProblem('invalid-request', `Cannot use ${what}: it has ${names.join(', ')}, which is not known here`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  const place = first?.path.length ? `${first.path.join('.')}: ` : '';
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const errors = parsed.error.issues.map(({ path, message }) => ({ at: path.map(String), message }));
  throw new ApiProblem('invalid-request', `Cannot use ${what}: ${place}${first?.message ?? ''}${more}`, { errors });
}
