import { expect, test } from 'vitest';
import { Releases } from '../../home/releases.js';

function threeReleases() {
  const released: string[] = [];
  const releases = new Releases();
  releases.add(() => void released.push('ledger'));
  releases.add(async () => {
    released.push('connection');
    throw new Error('the connection is in use');
  });
  releases.add(() => void released.push('worker'));
  return { released, releases };
}

test('releases all in reverse order, even where one cannot be, and says so', async () => {
  const { released, releases } = threeReleases();
  await expect(releases.all()).rejects.toThrow('the connection is in use');
  expect(released).toEqual(['worker', 'connection', 'ledger']);
  await releases.all();
  expect(released).toHaveLength(3);
});

test('what fails to open releases what it had opened, and says why it failed', async () => {
  const { released, releases } = threeReleases();
  await expect(releases.whole(() => Promise.reject(new Error('no such namespace')))).rejects.toThrow(
    'no such namespace',
  );
  expect(released).toEqual(['worker', 'connection', 'ledger']);
});

test('what opens keeps what it opened', async () => {
  const { released, releases } = threeReleases();
  expect(await releases.whole(async () => 7)).toBe(7);
  expect(released).toEqual([]);
});
