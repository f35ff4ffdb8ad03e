import { describe, expect, test } from 'vitest';
import { limits, type Operation, routes } from '../../../api/contract.js';
import { openApiDocument } from '../../../studio/docs/openapi.js';
import { openStudio } from '../open-studio.js';

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
  expect(document.components.schemas.Movie).toMatchObject({
    additionalProperties: false,
    properties: {
      status: { enum: ['queued', 'planning', 'generating', 'rendering', 'completed', 'failed', 'canceled'] },
    },
  });
  expect(document.components.schemas.Movie?.required).toHaveLength(9);
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
