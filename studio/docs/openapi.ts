import { limits, type Operation, routes } from '../../api/contract.js';
import { errorExample, examples } from './examples.js';
import { deliveryHeaders, headers } from './headers.js';
import { componentSchemas, type Schema } from './schemas.js';

export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Schema[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Schema>>;
  /** Absent when the answer has no body. */
  readonly content?: Readonly<Record<string, Content>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Schema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** What the studio sends to the address in `webhook_url`. */
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  readonly components: {
    readonly securitySchemes: Schema;
    readonly headers: Readonly<Record<string, Schema>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

interface Described {
  readonly summary: string;
  readonly description: string;
  readonly request?: { readonly type: string; readonly schema: string };
  readonly answer: {
    readonly status: number;
    readonly schema: string;
    readonly description: string;
    readonly example: unknown;
    readonly headers?: readonly (keyof typeof headers)[];
  };
  readonly refusals: readonly number[];
}

const body = { type: 'application/json', schema: 'MovieRequest' };
const ofRequest = [400, 401, 408, 413, 415, 429];
const ofMovie = [400, 401, 404];

const operations: Readonly<Record<Operation, Described>> = {
  uploadReference: {
    summary: 'Upload a reference',
    description: 'Stores a file as generation context. Its type is detected from its content; its name is ignored.',
    request: { type: 'multipart/form-data', schema: 'Upload' },
    answer: {
      status: 201,
      schema: 'Reference',
      example: examples.Reference,
      description: 'The reference, whose id may be used in any number of movies',
    },
    refusals: [...ofRequest, 503],
  },
  estimateMovie: {
    summary: 'Estimate a movie',
    description: 'Returns what a movie would cost and how long it would take. Creates nothing.',
    request: body,
    answer: {
      status: 200,
      schema: 'Estimate',
      example: examples.Estimate,
      description: 'The price and runtime, always the same for the same length, ratio and number of references',
    },
    refusals: ofRequest,
  },
  createMovie: {
    summary: 'Create a movie',
    description:
      'Billable. With an Idempotency-Key the same request can be retried for 30 days: it returns the movie of the first one.',
    request: body,
    answer: {
      status: 202,
      schema: 'Movie',
      description: 'The job was accepted and is queued',
      example: examples.Movie.queued,
      headers: ['Idempotent-Replayed'],
    },
    refusals: [...ofRequest, 409],
  },
  getMovie: {
    summary: 'Get a movie',
    description: 'The job and its current status.',
    answer: { status: 200, schema: 'Movie', description: 'The movie', example: examples.Movie.completed },
    refusals: ofMovie,
  },
  cancelMovie: {
    summary: 'Cancel a movie',
    description: 'Cancels a job that has not ended. A job that has ended is returned unchanged.',
    answer: {
      status: 200,
      schema: 'Movie',
      description: 'The movie, canceled or as it ended before',
      example: examples.Movie.canceled,
    },
    refusals: ofMovie,
  },
  listAssets: {
    summary: 'List the assets of a movie',
    description: 'Empty until the movie is completed. Each listing has fresh, temporary URLs.',
    answer: {
      status: 200,
      schema: 'AssetList',
      example: examples.AssetList,
      description: 'final_video, poster, storyboard and captions, in that order',
    },
    refusals: ofMovie,
  },
};

const refusalWords: Readonly<Record<number, string>> = {
  400: 'invalid_request: the message lists everything that is wrong',
  401: 'unauthorized: the API key is missing or unknown',
  404: 'not_found: there is no such movie, or it belongs to another key',
  408: 'request_timeout: the body did not arrive in time',
  409: 'idempotency_conflict: the Idempotency-Key was used for another request',
  413: 'payload_too_large: the body is larger than any valid request',
  415: 'unsupported_media_type: the body, or the file in it, has a type that cannot be used',
  429: 'rate_limit_exceeded: retry after Retry-After seconds',
  503: 'unavailable: the file could not be read now; retry after Retry-After seconds',
};

/** The interface as an OpenAPI 3.1 document, generated from the schemas that requests are checked with. */
export function openApiDocument(serverUrl: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of Object.keys(routes) as Operation[]) {
    const { method, path } = routes[operation];
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Movie Generation Service, as the studio serves it',
      version: '1.0.0',
      description: 'Makes animatics from a brief, without a generative model and without money.',
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    paths,
    webhooks: { movieEvent: { post: movieEvent } },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      headers,
      schemas: componentSchemas(),
    },
  };
}

const movieEvent: OpenApiOperation = {
  operationId: 'movieEvent',
  summary: 'Receive a movie event',
  description:
    'Sent to webhook_url at each change of status, signed per Standard Webhooks. Events may arrive twice, late or out of order; an event that gets no 2xx is retried for a day.',
  parameters: deliveryHeaders,
  requestBody: { required: true, content: jsonOf('Event', examples.Event) },
  responses: { '2XX': { description: 'The event was received' } },
};

function describe(operation: Operation): OpenApiOperation {
  const { summary, description, request, answer, refusals: statuses } = operations[operation];
  const parameters = parametersOf(operation);
  return {
    operationId: operation,
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(request && { requestBody: { required: true, content: requestContent(request) } }),
    responses: {
      [answer.status]: {
        description: answer.description,
        headers: headersOf(['X-Request-Id', ...(answer.headers ?? [])]),
        content: jsonOf(answer.schema, answer.example),
      },
      ...Object.fromEntries([...statuses].sort((a, b) => a - b).map((status) => [status, refusal(status)])),
    },
  };
}

function parametersOf(operation: Operation): Schema[] {
  const movieId = {
    name: 'movie_id',
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^movie_[A-Za-z0-9]+$' },
  };
  const { idempotencyKeyMin: minLength, idempotencyKeyMax: maxLength } = limits;
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength, maxLength },
  };
  if (operation === 'createMovie') return [key];
  return routes[operation].path.includes('{movie_id}') ? [movieId] : [];
}

function requestContent({ type, schema }: NonNullable<Described['request']>): Readonly<Record<string, Content>> {
  return { [type]: { schema: refTo(schema), ...(type === body.type && { example: examples.MovieRequest }) } };
}

function refusal(status: number): OpenApiResponse {
  const description = refusalWords[status] ?? '';
  const retryAfter = status === 429 || status === 503;
  return {
    description,
    headers: headersOf([
      'X-Request-Id',
      ...(retryAfter ? (['Retry-After'] as const) : []),
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ]),
    content: jsonOf('Error', errorExample(description.split(':')[0] ?? '')),
  };
}

function headersOf(names: readonly (keyof typeof headers)[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function jsonOf(schema: string, example: unknown) {
  return { 'application/json': { schema: refTo(schema), example } };
}

function refTo(schema: string): Schema {
  return { $ref: `#/components/schemas/${schema}` };
}
