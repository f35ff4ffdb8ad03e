import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measure } from './measured-process.js';
import { type PlainScriptOptions, plainScript } from './plain-script.js';

measure<Omit<PlainScriptOptions, 'folder'>, number>(async (options, start) => {
  const folder = await mkdtemp(join(tmpdir(), 'plain-'));
  start();
  const startedAt = performance.now();
  await plainScript({ ...options, folder });
  return performance.now() - startedAt;
});
