import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { watchForLeaks } from './leaks.js';

const forever = 'setInterval(() => {}, 1000)';

function end(child: ChildProcess): Promise<unknown> {
  child.ref();
  child.kill();
  return once(child, 'exit');
}

/** Each leaves something behind, and says how it is taken away. */
const plants: Readonly<Record<string, () => Promise<() => unknown>>> = {
  'a server that listens': async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return () => once(server.close(), 'close');
  },
  'a timer': async () => {
    const timer = setInterval(() => {}, 60_000);
    return () => clearInterval(timer);
  },
  'a thread': async () => {
    const thread = new Worker(forever, { eval: true });
    await once(thread, 'online');
    return () => thread.terminate();
  },
  'a temporary file or folder': async () => {
    const folder = await mkdtemp(join(tmpdir(), 'left-'));
    return () => rm(folder, { recursive: true });
  },
  'a child process': async () => {
    const child = spawn(process.execPath, ['-e', forever], { stdio: 'ignore' });
    await once(child, 'spawn');
    return () => end(child);
  },
  'a process': async () => {
    const child = spawn(process.execPath, ['-e', forever], { stdio: 'ignore', detached: true });
    await once(child, 'spawn');
    child.unref();
    return () => end(child);
  },
};

test.each(Object.entries(plants))('%s left behind is reported, and no more once it is gone', async (what, plant) => {
  const watch = watchForLeaks();
  const remove = await plant();
  const found = await watch.leaks(0);
  await remove();
  expect(found.map((leak) => leak.split(':')[0])).toContain(what);
  expect(await watch.leaks()).toEqual([]);
  watch.end();
});
