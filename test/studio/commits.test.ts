import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createCommits } from '../../studio/commits.js';
import { temporaryFolder } from './open-studio.js';

async function open() {
  const db = new Database(join(await temporaryFolder(), 'commits.db'));
  onTestFinished(() => void db.close());
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE lines (text TEXT NOT NULL UNIQUE)');
  const insert = db.prepare('INSERT INTO lines VALUES (?)');
  const lines = () => db.prepare('SELECT text FROM lines ORDER BY rowid').pluck().all();
  const commits = createCommits(db);
  const write = (text: string) =>
    commits.run(() => {
      insert.run(text);
      return text;
    });
  return { db, commits, write, lines };
}

test('works of one turn are committed together, in their order, and each gets its own result', async () => {
  const { write, lines } = await open();
  expect(await Promise.all(['a', 'b', 'c'].map(write))).toEqual(['a', 'b', 'c']);
  expect(lines()).toEqual(['a', 'b', 'c']);
});

test('a later work sees what an earlier one of the same transaction wrote', async () => {
  const { write, lines, commits } = await open();
  const [, seen] = await Promise.all([write('a'), commits.run(lines)]);
  expect(seen).toEqual(['a']);
});

test('a work that throws is undone alone, and only its caller learns of it', async () => {
  const { write, lines, commits, db } = await open();
  const half = commits.run(() => {
    db.prepare("INSERT INTO lines VALUES ('half')").run();
    throw new Error('the other half is missing');
  });
  const outcomes = await Promise.allSettled([write('a'), half, write('b'), write('a')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(lines()).toEqual(['a', 'b']);
});

test('a commit that fails fails each of its works', async () => {
  const { write, db } = await open();
  const writing = Promise.allSettled([write('a'), write('b')]);
  db.close();
  expect((await writing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('closing commits what waits and refuses what comes later', async () => {
  const { write, lines, commits } = await open();
  const waiting = write('a');
  commits.close();
  expect(lines()).toEqual(['a']);
  expect(await waiting).toBe('a');
  await expect(write('b')).rejects.toThrow('it is closed');
});

test('a transaction is as durable as the most demanding of its works', async () => {
  const { commits, db } = await open();
  const level = () => db.pragma('synchronous', { simple: true });
  expect(await commits.run(level, { durable: false })).toBe(1);
  expect(await Promise.all([commits.run(level, { durable: false }), commits.run(level)])).toEqual([2, 2]);
});
