import { expect, test } from 'vitest';
import { MemoryAnswer } from '../../../studio/http/memory-answer.js';

const init = { status: 201, headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'req_1' } };
const text = '{"name":"Überlänge"}';
const bytes = new TextEncoder().encode(text);

test.each<[string, (answer: Response) => Promise<unknown>, unknown]>([
  ['text', (answer) => answer.text(), text],
  ['JSON', (answer) => answer.json(), { name: 'Überlänge' }],
  ['bytes', async (answer) => new Uint8Array(await answer.arrayBuffer()), bytes],
  ['a blob', async (answer) => (await answer.blob()).text(), text],
  ['a stream', (answer) => new Response(answer.body).text(), text],
  ['a clone', (answer) => answer.clone().text(), text],
])('its content can be read as %s, like that of any answer, once', async (_, read, expected) => {
  for (const content of [text, bytes]) {
    const answer = new MemoryAnswer(content, init);
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, answer.headers.get('x-request-id'), answer.bodyUsed]).toEqual([201, 'req_1', false]);
    expect(await read(answer)).toEqual(expected);
  }
});

test('what was read cannot be read again', async () => {
  const answer = new MemoryAnswer(text, init);
  await answer.text();
  expect(answer.bodyUsed).toBe(true);
  await expect(answer.text()).rejects.toThrow(TypeError);
});

test('a form is read as one', async () => {
  const answer = new MemoryAnswer('a=1&b=2', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  expect([...(await answer.formData())]).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]);
});
