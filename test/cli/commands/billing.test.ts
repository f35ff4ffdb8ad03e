import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Service } from '../../../domain/service.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const films: Service = { name: 'films', baseUrl: 'https://films.example/v1', rehearsal: false };
const assumption = 'assumed: a movie that fails or is canceled is charged';
const screens = (batchId: string) => [
  ['status'],
  ['status', batchId],
  ['cancel', batchId, '--preview'],
  ['cancel', batchId, '--all', '--reason', 'not needed'],
  ['budget', 'list'],
  ['budget', 'show', 'acme'],
];

test('every screen with real money says what is assumed of movies that fail or are canceled', async () => {
  await place.scene.fund('acme', 10_000, films);
  const batchId = await place.scene.seal(['a'], { service: films });
  for (const args of screens(batchId)) {
    const { out, code } = await place.run(args, { columns: 300 });
    expect([args, code, out]).toEqual([args, 0, expect.stringContaining(assumption)]);
  }
});

test('a rehearsal assumes nothing of the kind', async () => {
  await place.scene.fund('acme', 10_000);
  const batchId = await place.scene.seal(['a']);
  for (const args of screens(batchId)) {
    expect([args, (await place.run(args, { columns: 300 })).out]).toEqual([
      args,
      expect.not.stringContaining('assumed: a movie'),
    ]);
  }
});
