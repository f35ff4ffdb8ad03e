import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  AssetList,
  ErrorBody,
  Estimate,
  limits,
  Movie,
  MovieRequest,
  type Operation,
  Reference,
  routes,
} from '../../../api/contract.js';
import { openApiDocument } from '../../../studio/docs/openapi.js';
import type { SendOptions } from '../../../studio/webhooks/dispatcher.js';
import { brief, openStudio, until } from '../open-studio.js';

const document = openApiDocument('http://studio.test/v1');

test('every operation of the interface is described, at its path and by its method', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
  );
  const expected = (Object.keys(routes) as Operation[]).map((operation) => [
    operation,
    routes[operation].method,
    routes[operation].path,
  ]);
  expect(described.sort()).toEqual(expected.sort());
});

test('every reference within the document leads somewhere', () => {
  const names = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !(name ?? '' in document.components.schemas))).toEqual([]);
});

test('the limits of the interface are those of the document', () => {
  expect(document.components.schemas.MovieRequest).toMatchObject({
    required: ['prompt'],
    additionalProperties: false,
    properties: {
      prompt: { minLength: limits.promptMin, maxLength: limits.promptMax },
      duration_seconds: { minimum: 5, maximum: 120, default: 30 },
      style: { maxLength: 1000 },
      references: { maxItems: 20 },
    },
  });
  expect(document.paths['/movies']?.post?.parameters).toMatchObject([
    { name: 'Idempotency-Key', in: 'header', required: false, schema: { minLength: 8, maxLength: 255 } },
  ]);
});

test('an answer of the studio has every field, and its statuses are the words of the interface', () => {
  expect(document.components.schemas.Movie).toMatchObject({ additionalProperties: false });
  expect(document.components.schemas.MovieStatus).toMatchObject({
    enum: ['queued', 'planning', 'generating', 'rendering', 'completed', 'failed', 'canceled'],
  });
  expect(document.components.schemas.Movie?.required).toHaveLength(9);
});

const answersOf = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, response]) => ({ operationId, status, response })),
  );

test('every answer has an example that is one, so that a mock of the document can be used', () => {
  const schemas: Readonly<Record<string, z.ZodType>> = { Movie, Reference, Estimate, AssetList, Error: ErrorBody };
  for (const { operationId, status, response } of answersOf) {
    const { schema, example } = response.content?.['application/json'] ?? {};
    const name = String(schema?.$ref).replace('#/components/schemas/', '');
    expect(schemas[name]?.safeParse(example), `${operationId} ${status}`).toMatchObject({ success: true });
    if (name === 'Error') {
      const code = /^\w+/.exec(response.description)?.[0];
      expect(example).toMatchObject({ error: { code } });
    }
  }
  const body = document.paths['/movies']?.post?.requestBody?.content['application/json']?.example;
  expect(MovieRequest.safeParse(body).success).toBe(true);
});

test('words and objects have names, for those who make types of the document', () => {
  const { schemas } = document.components;
  for (const name of ['MovieStatus', 'AspectRatio', 'ReferenceRole', 'Progress', 'Asset', 'ErrorObject', 'Event']) {
    expect(Object.keys(schemas)).toContain(name);
  }
  expect(schemas.Movie?.properties).toMatchObject({
    status: { $ref: '#/components/schemas/MovieStatus' },
    progress: { $ref: '#/components/schemas/Progress' },
    error: { anyOf: [{ $ref: '#/components/schemas/ErrorObject' }, { type: 'null' }] },
  });
});

test('the headers of an answer are described, and are those of the studio', async () => {
  for (const { response } of answersOf) expect(Object.keys(response.headers ?? {})).toContain('X-Request-Id');
  const headersOf = (operation: string, status: string) =>
    Object.keys(
      answersOf.find((each) => each.operationId === operation && each.status === status)?.response.headers ?? {},
    );
  const { call } = await openStudio();
  const send = () => call('POST', '/movies', { body: brief, headers: { 'idempotency-key': 'order-0001' } });
  await send();
  for (const name of headersOf('createMovie', '202')) expect((await send()).headers.get(name)).toMatch(/./);
  const refused = await call('GET', '/movies/movie_1', { key: 'nobody' });
  for (const name of headersOf('getMovie', '401')) expect(refused.headers.get(name)).toMatch(/./);
});

test('an event is what the document says of it', async () => {
  const sent: SendOptions[] = [];
  const send = async (_: string, options: SendOptions) => sent.push(options) && 204;
  const { create } = await openStudio({ webhooks: { send } });
  await create({ ...brief, webhook_url: 'https://events.example/hook' });
  await until(() => sent.length === 5);
  const { requestBody, parameters } = document.webhooks.movieEvent?.post ?? {};
  expect(requestBody?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Event' });
  const { required, properties } = document.components.schemas.Event ?? {};
  for (const { headers, body } of sent) {
    for (const { name } of parameters ?? []) expect(headers[String(name)]).toMatch(/./);
    const event = JSON.parse(body);
    expect(Object.keys(event)).toEqual(required);
    expect((properties as { readonly type: { readonly enum: readonly string[] } }).type.enum).toContain(event.type);
  }
});

describe('served to everybody', () => {
  test.each(['http://studio.test/openapi.json', '/openapi.json'])('%s', async (path) => {
    const { call } = await openStudio();
    const answer = await call('GET', path, { key: '' });
    expect([answer.status, await answer.json()]).toEqual([200, document]);
  });

  test('and as a page that names each operation, field and status, without a script', async () => {
    const { call } = await openStudio();
    const answer = await call('GET', 'http://studio.test/', { key: '' });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const page = await answer.text();
    for (const words of [
      ...Object.keys(routes),
      'duration_seconds',
      '10 to 8000 characters',
      'idempotency_conflict',
      '409',
    ]) {
      expect(page).toContain(words);
    }
    expect(page).not.toMatch(/<script|undefined|\[object/);
  });
});
