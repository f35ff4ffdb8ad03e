import type { z } from 'zod';
import type { ApiRoute, Described } from '../api-route.js';
import { Problem, type ProblemName, problems, problemType } from '../problem.js';
import { routes } from '../routes.js';
import { components, type Schema, schemaOf } from './schemas.js';

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Schema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly securitySchemes: Schema; readonly schemas: Readonly<Record<string, Schema>> };
}

/** What any request can be refused for. */
const always: readonly ProblemName[] = [
  ...(['unauthorized', 'token-expired', 'person-removed', 'not-allowed', 'invalid-request'] as const),
  'unavailable',
];
const withJson: readonly ProblemName[] = ['payload-too-large', 'unsupported-media-type'];

/** The interface as an OpenAPI 3.1 document, out of the same schemas that requests are checked with. */
export function openApiDocument(serverUrl: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: describe(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Greenlight for other systems',
      version: '1',
      description:
        'Submit a manifest, read its plan, have it approved, and take its results. Acts are those of the person whose token is sent; amounts are whole numbers in the minor unit of their currency. Errors are problems (RFC 9457) whose `type` is stable.',
    },
    servers: [{ url: serverUrl }],
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: components() },
  };
}

function describe(route: ApiRoute): OpenApiOperation {
  const { operationId, summary, description, answers } = route;
  const refusals = [...always, ...(route.body ? withJson : []), ...route.refusals];
  const content = bodyOf(route);
  return {
    ...{ operationId, summary, description, parameters: parametersOf(route) },
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
      ...refusalsOf(refusals),
    },
  };
}

function parametersOf({ path, query }: ApiRoute): readonly OpenApiParameter[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ofPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }) as const);
  const ofQuery = Object.entries(query?.shape ?? {}).map(([name, type]) => {
    const { description, ...schema } = schemaOf(type as z.ZodType); // a shape has nothing else
    const words = typeof description === 'string' ? { description } : {};
    return { name, in: 'query', required: false, ...words, schema } as const;
  });
  return [...ofPath, ...ofQuery];
}

function bodyOf({ body, bodyTypes }: ApiRoute): Readonly<Record<string, { schema: Schema }>> | null {
  if (body) return { 'application/json': { schema: schemaOf(body) } };
  if (!bodyTypes) return null;
  return Object.fromEntries(
    bodyTypes.map((type) => [
      type,
      { schema: type.startsWith('multipart/') ? form : { type: 'string', format: 'binary' } },
    ]),
  );
}

const file = { type: 'string', format: 'binary' };
const form: Schema = {
  type: 'object',
  properties: { manifest: file, reference: { type: 'array', items: file } },
  required: ['manifest'],
  additionalProperties: false,
};

function responseOf({ description, schema, type }: Described): OpenApiResponse {
  if (schema) return { description, content: { 'application/json': { schema: schemaOf(schema, 'output') } } };
  return { description, content: { [type ?? 'application/octet-stream']: { schema: { type: 'string' } } } };
}

function refusalsOf(names: readonly ProblemName[]): Readonly<Record<string, OpenApiResponse>> {
  const statuses = [...new Set(names.map((name) => problems[name].status))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      const theirs = [...new Set(names)].filter((name) => problems[name].status === status);
      const description = theirs.map((name) => `${problemType(name)}: ${problems[name].title}`).join('. ');
      return [
        status,
        { description, content: { 'application/problem+json': { schema: schemaOf(Problem, 'output') } } },
      ];
    }),
  );
}
