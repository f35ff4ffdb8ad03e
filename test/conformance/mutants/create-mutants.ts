import {
  answers,
  type Breakage,
  type Mutant,
  problem,
  requestHeaders,
  requests,
  responses,
  withJson,
} from './mutant.js';

const create = 'createMovie';

/** Creation, its limits and its key. */
export const createMutants: readonly Mutant[] = [
  { name: 'creates with 200', clause: 'create.accepted', breakage: status(200) },
  { name: 'creates with 201', clause: 'create.accepted', breakage: status(201) },
  { name: 'creates without an id', clause: 'create.accepted', breakage: answers(create, ({ id: _, ...rest }) => rest) },
  {
    name: 'gives movies ids with a dash',
    clause: 'create.accepted',
    breakage: answers(create, (movie) => ({ ...movie, id: 'movie_1-2' })),
  },
  {
    name: 'creates without created_at',
    clause: 'create.accepted',
    breakage: answers(create, ({ created_at: _, ...rest }) => rest),
  },
  {
    name: 'creates without updated_at',
    clause: 'create.accepted',
    breakage: answers(create, ({ updated_at: _, ...rest }) => rest),
  },
  {
    name: 'gives times as numbers',
    clause: 'create.accepted',
    breakage: answers(create, (movie) => ({ ...movie, created_at: 1_767_225_600 })),
  },
  {
    name: 'was updated before it was created',
    clause: 'create.timestamps',
    breakage: answers(create, (movie) => ({ ...movie, updated_at: '2020-01-01T00:00:00Z' })),
  },
  {
    name: 'answers a create as text/plain',
    clause: 'create.accepted',
    breakage: responses(
      create,
      (code) => code === 202,
      async (response) => {
        return new Response(await response.text(), { status: 202, headers: { 'content-type': 'text/plain' } });
      },
    ),
  },
  {
    name: 'starts jobs in planning',
    clause: 'create.queued',
    breakage: answers(create, (movie) => ({ ...movie, status: 'planning' })),
  },
  {
    name: 'starts jobs in a word of its own',
    clause: 'create.status-word',
    breakage: answers(create, (movie) => ({ ...movie, status: 'pending' })),
  },
  {
    name: 'shows another prompt',
    clause: 'create.echo',
    breakage: answers(create, (movie) => ({ ...movie, prompt: 'Another prompt' })),
  },
  {
    name: 'shows another ratio',
    clause: 'create.echo',
    breakage: answers(create, (movie) => ({ ...movie, aspect_ratio: '1:1' })),
  },
  {
    name: 'cuts long prompts',
    clause: 'create.echo-largest',
    breakage: answers(create, (movie) => ({ ...movie, prompt: [...String(movie.prompt)].slice(0, 500).join('') })),
  },
  {
    name: 'loses letters beyond ASCII',
    clause: 'create.echo-largest',
    breakage: answers(create, (movie) => ({ ...movie, prompt: String(movie.prompt).replace(/[^\n -~]/gu, '?') })),
  },
  {
    name: 'makes 20 s where no length is said',
    clause: 'create.defaults',
    breakage: requests(create, (body) => ({ duration_seconds: 20, ...body })),
  },
  { name: 'needs an aspect ratio', clause: 'create.without-key', breakage: needs((body) => 'aspect_ratio' in body) },
  { name: 'needs a key', clause: 'create.without-key', breakage: needs((_, key) => key !== null) },
  {
    name: 'refuses style on a create',
    clause: 'create.largest',
    breakage: needs((body) => !('style' in body)),
  },
  {
    name: 'refuses 20 references on a create',
    clause: 'create.largest',
    breakage: needs((body) => !Array.isArray(body.references) || body.references.length < 20),
  },
  {
    name: 'refuses 120 s on a create',
    clause: 'create.largest',
    breakage: needs((body) => Number(body.duration_seconds ?? 30) < 120),
  },
  { name: 'refuses keys of 8', clause: 'create.accepted', breakage: needs((_, key) => key?.length !== 8) },
  { name: 'refuses keys of 255', clause: 'cancel.running', breakage: needs((_, key) => key?.length !== 255) },
  { name: 'takes keys of 7', clause: 'create.key.7', breakage: key((text) => text.padEnd(8, '-')) },
  { name: 'takes keys of 256', clause: 'create.key.256', breakage: key((text) => text.slice(0, 255)) },
  ...[
    { field: 'prompt', clause: 'limits.create.prompt-of-9-letters', with: 'A prompt that is long enough' },
    { field: 'duration_seconds', clause: 'limits.create.duration_seconds-121', with: 5 },
    { field: 'aspect_ratio', clause: 'limits.create.aspect_ratio-16x9', with: '16:9' },
    { field: 'style', clause: 'limits.create.style-of-1001-letters', with: 'warm' },
    { field: 'references', clause: 'limits.create.21-references', with: [] },
    { field: 'webhook_url', clause: 'limits.create.webhook_url-without-https', with: 'https://events.example/hook' },
  ].map(({ field, clause, with: valid }): Mutant => ({
    name: `does not look at ${field} on a create`,
    clause,
    breakage: requests(create, (body) => (field in body ? { ...body, [field]: valid } : body)),
  })),
  {
    name: 'takes unknown references on a create',
    clause: 'limits.create.a-reference_id-that-nothing-has',
    breakage: requests(create, (body) => ({
      ...body,
      ...(JSON.stringify(body.references)?.includes('ref_doesNotExist0') && { references: [] }),
    })),
  },
  {
    name: 'takes fractions of seconds on a create',
    clause: 'limits.create.duration_seconds-5.5',
    breakage: requests(create, (body) => ({
      ...body,
      ...(typeof body.duration_seconds === 'number' && { duration_seconds: Math.trunc(body.duration_seconds) }),
    })),
  },
  {
    name: 'takes a create without a prompt',
    clause: 'create.invalid',
    breakage: requests(create, (body) => ({ prompt: 'A prompt of its own making', ...body })),
  },
  {
    name: 'answers invalid creates with 422',
    clause: 'create.invalid',
    breakage: responses(
      create,
      (code) => code === 400,
      async (response) => withJson(response, await response.json(), 422),
    ),
  },
  {
    name: 'answers half a JSON text with 500',
    clause: 'create.half-of-a-JSON-text',
    breakage: () => async (request, next, operation) => {
      if (operation !== create) return next(request);
      const text = await request.clone().text();
      return text.startsWith('{') && !text.endsWith('}') ? problem(500) : next(request);
    },
  },
];

function status(code: number): () => Breakage {
  return responses(
    create,
    (given) => given === 202,
    async (response) => withJson(response, await response.json(), code),
  );
}

function key(change: (key: string) => string): () => Breakage {
  return requestHeaders(create, (headers) => {
    const given = headers.get('idempotency-key');
    return given === null ? {} : { 'idempotency-key': change(given) };
  });
}

function needs(accepted: (body: Record<string, unknown>, key: string | null) => boolean): () => Breakage {
  return () => async (request, next, operation) => {
    if (operation !== create) return next(request);
    const text = await request.clone().text();
    const body = text.endsWith('}') ? JSON.parse(text) : {};
    return accepted(body, request.headers.get('idempotency-key')) ? next(request) : problem(400);
  };
}
