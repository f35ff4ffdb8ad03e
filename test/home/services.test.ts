import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openParts, type Parts } from '../../home/services.js';

let home: string;
const open: Parts[] = [];
const parts = async () => {
  const opened = await openParts(home);
  open.push(opened);
  return opened;
};
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'greenlight-parts-'));
});
afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  await rm(home, { recursive: true, force: true });
});

/** A process that has come and gone: its id means nothing any more. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}

describe('parts of a home', () => {
  test('a living part is found by every command, a dead one is not', async () => {
    const [one, other] = [await parts(), await parts()];
    await one.exclusively(async (home) => home.record({ name: 'studio', pid: process.pid, port: 4001 }));
    expect(other.running('studio')).toEqual({ name: 'studio', pid: process.pid, port: 4001 });
    expect(other.running('temporal')).toBeNull();
    const pid = await endedPid();
    await one.exclusively(async (home) => home.record({ name: 'studio', pid, port: 4001 }));
    expect(other.running('studio')).toBeNull();
  });

  test('the port of a dead part is remembered, so that it comes back where its clients look', async () => {
    const one = await parts();
    const pid = await endedPid();
    await one.exclusively(async (home) => home.record({ name: 'temporal', pid, port: 4002 }));
    const known = await one.exclusively(async (home) => home.find('temporal'));
    expect(known).toEqual({ part: { name: 'temporal', pid, port: 4002 }, alive: false });
  });

  test('only one command at a time starts or stops parts', async () => {
    const [one, other] = [await parts(), await parts()];
    const order: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const first = one.exclusively(async () => {
      entered();
      await held;
      order.push('first');
    });
    await inside;
    const second = other.exclusively(async () => order.push('second'));
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  test('counts the living users at a leave, not the ones that were killed', async () => {
    const one = await parts();
    const gone = await endedPid();
    const others = await one.exclusively(async (home) => {
      home.join(process.pid);
      home.join(gone);
      return home.leave(process.pid);
    });
    expect(others).toBe(0);
  });

  test('what was recorded stands at once, and stays where the start fails: its process may live', async () => {
    const [one, other] = [await parts(), await parts()];
    const failing = one.exclusively(async (home) => {
      home.record({ name: 'studio', pid: process.pid, port: 4003 });
      expect(other.running('studio')).toMatchObject({ port: 4003 });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(other.running('studio')).toMatchObject({ port: 4003 });
  });
});
