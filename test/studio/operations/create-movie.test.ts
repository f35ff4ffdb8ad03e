import { describe, expect, test } from 'vitest';
import { limits, MovieRequest, Reference } from '../../../api/contract.js';
import { brief, codeOf, movieOf, openStudio } from '../open-studio.js';

/** Two UTF-16 units, but one character. */
const astral = '🎈';

describe.each(['x', astral, 'é'])(
  'a create is held to the lengths of the interface, counted in characters: %s',
  (letter) => {
    test.each([
      ['prompt', limits.promptMin, limits.promptMax],
      ['style', 0, limits.styleMax],
    ])('%s', async (field, min, max) => {
      const { call, studio } = await openStudio();
      const send = async (length: number) =>
        call('POST', '/movies', { body: { ...brief, [field]: letter.repeat(length) } });
      for (const length of [min, max]) {
        const movie = await movieOf(await send(length));
        if (field === 'prompt') expect(movie.prompt).toBe(letter.repeat(length));
      }
      for (const length of [min - 1, max + 1].filter((each) => each >= 0)) {
        expect(await codeOf(await send(length))).toBe('400 invalid_request');
      }
      expect(studio.books().creates).toHaveLength(2);
    });
  },
);

test('the longest request there can be is small enough, also when each character is escaped', async () => {
  const { call, studio } = await openStudio();
  const reference_id = await upload(call);
  const description = astral.repeat(limits.descriptionMax);
  const body = {
    prompt: astral.repeat(limits.promptMax),
    style: astral.repeat(limits.styleMax),
    references: Array.from({ length: limits.referencesMax }, () => ({ reference_id, role: 'other', description })),
  };
  MovieRequest.parse(body);
  const escaped = JSON.stringify(body).replace(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  expect((await call('POST', '/movies', { body: escaped })).status).toBe(202);
  expect(studio.books().creates).toHaveLength(1);
});

test.each([
  [0, 202],
  [limits.referencesMax, 202],
  [limits.referencesMax + 1, 400],
])('%i references', async (count, status) => {
  const { call } = await openStudio();
  const reference_id = await upload(call);
  const references = Array.from({ length: count }, () => ({ reference_id, role: 'product' }));
  expect((await call('POST', '/movies', { body: { ...brief, references } })).status).toBe(status);
});

test.each([
  [limits.durationSecondsMin - 1, 400],
  [limits.durationSecondsMin, 202],
  [limits.durationSecondsMax, 202],
  [limits.durationSecondsMax + 1, 400],
])('%i seconds', async (duration_seconds, status) => {
  const { call } = await openStudio();
  expect((await call('POST', '/movies', { body: { ...brief, duration_seconds } })).status).toBe(status);
});

test.each([
  ['nested without end', `{"prompt":${'['.repeat(200_000)}`],
  ['of a hundred thousand unknown fields', `{${Array.from({ length: 50_000 }, (_, index) => `"${index}":1`).join()}}`],
  ['with a field called __proto__', '{"prompt":"A lighthouse","__proto__":{"duration_seconds":5}}'],
])('a body %s is refused and harms nobody', async (_, body) => {
  const { call, studio } = await openStudio();
  expect(await codeOf(await call('POST', '/movies', { body }))).toMatch(/^4(00 invalid_request|13 payload_too_large)$/);
  expect(studio.books().creates).toEqual([]);
});

type Call = Awaited<ReturnType<typeof openStudio>>['call'];

async function upload(call: Call): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob(['a text to read']));
  return Reference.parse(await (await call('POST', '/references', { body: form })).json()).id;
}
