import { readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limits, Reference, ReferenceRole } from '../../../api/contract.js';
import { sound } from '../../../conformance/samples.js';
import { ProbeUnavailableError, probeReference } from '../../../studio/render/render.js';
import type { Renderer } from '../../../studio/render/renderer.js';
import { errorOf, openStudio, temporaryFolder } from '../open-studio.js';

/** Two UTF-16 units and four bytes, but one character. */
const astral = '🎈';

function form(
  fields: Readonly<Record<string, string>>,
  file: string | Uint8Array<ArrayBuffer> = 'The boat is red.',
  name = 'note.txt',
) {
  const sent = new FormData();
  for (const [field, value] of Object.entries(fields)) sent.set(field, value);
  sent.set('file', new Blob([file]), name);
  return sent;
}

test.each(ReferenceRole.options)('a file may be uploaded as %s', async (role) => {
  const { call } = await openStudio();
  const answer = await call('POST', '/references', { body: form({ role, description: 'für später 🎈' }) });
  expect(answer.status).toBe(201);
  expect(Reference.parse(await answer.json())).toMatchObject({
    role,
    mime_type: 'text/plain',
    description: 'für später 🎈',
  });
});

test.each(['x', astral])('a description has as many characters as the interface says, of %s', async (letter) => {
  const { call } = await openStudio();
  const send = (length: number) => call('POST', '/references', { body: form({ description: letter.repeat(length) }) });
  expect((await send(limits.descriptionMax)).status).toBe(201);
  expect(await errorOf(await send(limits.descriptionMax + 1))).toEqual({
    code: '400 invalid_request',
    message: 'Cannot upload reference: description: must be at most 1000 characters',
  });
});

test.each([
  ['a role that there is not', { role: 'hero' }, 'role'],
  ['no role in a role', { role: '' }, 'role'],
  ['a field that there is not', { colour: 'red' }, 'colour'],
  ['a field by the name of __proto__', { ['__proto__']: 'x' }, '__proto__'],
  ['a field by the name of toString', { toString: 'x' }, 'toString'],
])('%s is refused by name, and nothing is kept', async (_, fields, name) => {
  const dataFolder = await temporaryFolder();
  const { call } = await openStudio({ dataFolder });
  const { code, message } = await errorOf(await call('POST', '/references', { body: form(fields) }));
  expect(code).toBe('400 invalid_request');
  expect(message).toContain(name);
  expect(message).not.toContain('twice');
  for (const folder of ['incoming', 'references']) expect(await readdir(join(dataFolder, folder))).toEqual([]);
});

test.each([
  ['an empty file', '', '400 invalid_request'],
  ['a drawing that may hold a script', '<svg xmlns="http://www.w3.org/2000/svg"/>', '415 unsupported_media_type'],
  ['bytes that are nothing known', new Uint8Array([0, 1, 2, 3, 0xff, 0xfe]), '415 unsupported_media_type'],
])('%s is refused', async (_, file, code) => {
  const { call } = await openStudio();
  const answer = await call('POST', '/references', { body: form({}, file, '../../../../tmp/innocent.png') });
  expect((await errorOf(answer)).code).toBe(code);
});

describe('a file that cannot be read in time', () => {
  const content = {
    mimeType: 'text/plain',
    kind: 'document',
    width: null,
    height: null,
    durationSeconds: null,
  } as const;
  const opened = (probeReference: Renderer['probeReference']) =>
    openStudio({ renderer: { renderFilm: () => Promise.resolve([]), probeReference } });

  test('is not called unusable: it is to be sent again', async () => {
    const { call } = await opened(() => Promise.reject(new ProbeUnavailableError()));
    const answer = await call('POST', '/references', { body: form({}) });
    expect(answer.headers.get('retry-after')).toBe('10');
    expect((await errorOf(answer)).code).toBe('503 unavailable');
  });

  test('by a reader that gives no sign of life, says nothing of the file', async () => {
    const path = join(await temporaryFolder(), 'sound.wav');
    await writeFile(path, Buffer.from(await sound().arrayBuffer()));
    await expect(probeReference(path, { silenceMs: 1 })).rejects.toThrow(ProbeUnavailableError);
  });

  test('waits for its turn: there are no more readers than processors', async () => {
    let readers = 0;
    let most = 0;
    const { call } = await opened(async () => {
      readers += 1;
      most = Math.max(most, readers);
      await setImmediate();
      readers -= 1;
      return content;
    });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => call('POST', '/references', { body: form({}) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 201));
    expect(most).toBeLessThanOrEqual(availableParallelism());
  });
});

test('a file is kept under its id, whatever name it was sent with', async () => {
  const dataFolder = await temporaryFolder();
  const { call } = await openStudio({ dataFolder });
  const answer = await call('POST', '/references', { body: form({}, 'text', '../../../../tmp/innocent.txt') });
  const { id } = Reference.parse(await answer.json());
  expect(await readdir(join(dataFolder, 'references'))).toEqual([id]);
});
