import { expect, test } from 'vitest';
import { FolderSyncs } from '../../../archive/folder/folder-syncs.js';

/** Syncs that end when the test says so. */
function heldSyncs() {
  const started: { readonly path: string; end(error?: Error): void }[] = [];
  const syncs = new FolderSyncs(
    (path) =>
      new Promise((resolve, reject) => {
        started.push({ path, end: (error) => (error ? reject(error) : resolve()) });
      }),
  );
  return { syncs, started };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('those who ask while a sync runs wait for the next, which they share', async () => {
  const { syncs, started } = heldSyncs();
  const ended: string[] = [];
  const ask = (name: string) => syncs.sync('batch').then(() => ended.push(name));
  const asked = [ask('first'), ask('second'), ask('third')];
  await turn();
  expect(started).toHaveLength(1); // whatever the second wrote may have come after this one looked
  started[0]?.end();
  await turn();
  expect([ended, started.length]).toEqual([['first'], 2]);
  asked.push(ask('fourth'));
  started[1]?.end();
  await turn();
  expect([ended, started.length]).toEqual([['first', 'second', 'third'], 3]);
  started[2]?.end();
  await Promise.all(asked);
  expect(ended).toEqual(['first', 'second', 'third', 'fourth']);
});

test('a sync that fails is heard of by those who shared it, and by nobody else', async () => {
  const { syncs, started } = heldSyncs();
  const first = syncs.sync('batch');
  const [second, third] = [syncs.sync('batch'), syncs.sync('batch')];
  started[0]?.end(new Error('the disk reported an error'));
  await expect(first).rejects.toThrow('the disk reported an error');
  await turn();
  started[1]?.end();
  await Promise.all([second, third]);
  const fourth = syncs.sync('batch');
  started[2]?.end();
  await fourth;
});

test('folders do not wait for each other', async () => {
  const { syncs, started } = heldSyncs();
  const both = [syncs.sync('one'), syncs.sync('other')];
  expect(started.map(({ path }) => path)).toEqual(['one', 'other']);
  for (const { end } of started) end();
  await Promise.all(both);
});
