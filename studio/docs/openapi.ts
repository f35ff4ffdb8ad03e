import { limits, type Operation, routes } from '../../api/contract.js';
import { componentSchemas, type Schema } from './schemas.js';

export interface OpenApiOperation {
  readonly operationId: Operation;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Schema[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Schema>>;
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

interface Described {
  readonly summary: string;
  readonly description: string;
  readonly request?: { readonly type: string; readonly schema: string };
  readonly answer: { readonly status: number; readonly schema: string; readonly description: string };
  readonly refusals: readonly number[];
}

const body = { type: 'application/json', schema: 'MovieRequest' };
const ofRequest = [400, 401, 408, 413, 415, 429];
const ofMovie = [400, 401, 404];

const operations: Readonly<Record<Operation, Described>> = {
  uploadReference: {
    summary: 'Upload a reference',
    description: 'Stores a file as generation context. What it is, is read off its content; its name is not looked at.',
    request: { type: 'multipart/form-data', schema: 'Upload' },
    answer: {
      status: 201,
      schema: 'Reference',
      description: 'The reference, whose id may be used in any number of movies',
    },
    refusals: [...ofRequest, 503],
  },
  estimateMovie: {
    summary: 'Estimate a movie',
    description: 'Says what a movie would cost and how long it would take. Creates nothing.',
    request: body,
    answer: {
      status: 200,
      schema: 'Estimate',
      description: 'The same for the same length, ratio and number of references',
    },
    refusals: ofRequest,
  },
  createMovie: {
    summary: 'Create a movie',
    description:
      'Billable. With an Idempotency-Key the same request may be sent again: it finds the movie of the first time, for 30 days.',
    request: body,
    answer: { status: 202, schema: 'Movie', description: 'The job was accepted and is queued' },
    refusals: [...ofRequest, 409],
  },
  getMovie: {
    summary: 'Get a movie',
    description: 'The job and its current status.',
    answer: { status: 200, schema: 'Movie', description: 'The movie' },
    refusals: ofMovie,
  },
  cancelMovie: {
    summary: 'Cancel a movie',
    description: 'Ends a job that has not ended. One that has is answered as it stands.',
    answer: { status: 200, schema: 'Movie', description: 'The movie, canceled, or as it had ended before' },
    refusals: ofMovie,
  },
  listAssets: {
    summary: 'List the assets of a movie',
    description: 'Empty until the movie is completed. Each listing has fresh, temporary URLs.',
    answer: {
      status: 200,
      schema: 'AssetList',
      description: 'final_video, poster, storyboard and captions, in that order',
    },
    refusals: ofMovie,
  },
};

const refusalWords: Readonly<Record<number, string>> = {
  400: 'invalid_request: all that is wrong is in the message',
  401: 'unauthorized: the API key is missing or unknown',
  404: 'not_found: there is no such movie, or it belongs to another key',
  408: 'request_timeout: the body did not arrive in time',
  409: 'idempotency_conflict: the Idempotency-Key was used for another request',
  413: 'payload_too_large: the body is larger than can be meant',
  415: 'unsupported_media_type: the body, or the file in it, is of a type that cannot be used',
  429: 'rate_limit_exceeded: to be sent again after Retry-After seconds',
  503: 'unavailable: the file could not be read now; to be sent again after Retry-After seconds',
};

/** The interface as an OpenAPI 3.1 document, out of the same schemas that requests are checked with. */
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
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } }, schemas: componentSchemas() },
  };
}

function describe(operation: Operation): OpenApiOperation {
  const { summary, description, request, answer, refusals: statuses } = operations[operation];
  const parameters = parametersOf(operation);
  return {
    operationId: operation,
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(request && { requestBody: { required: true, content: { [request.type]: { schema: refTo(request.schema) } } } }),
    responses: {
      [answer.status]: { description: answer.description, content: jsonOf(answer.schema) },
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

function refusal(status: number): OpenApiResponse {
  const retryAfter = { 'Retry-After': { required: true, schema: { type: 'integer', minimum: 1 } } };
  return {
    description: refusalWords[status] ?? '',
    ...((status === 429 || status === 503) && { headers: retryAfter }),
    content: jsonOf('Error'),
  };
}

function jsonOf(schema: string) {
  return { 'application/json': { schema: refTo(schema) } };
}

function refTo(schema: string): Schema {
  return { $ref: `#/components/schemas/${schema}` };
}
