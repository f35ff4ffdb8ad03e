import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../home/config.js';
import { openDesk } from '../../home/desk.js';
import { freePort } from '../../home/free-port.js';
import { openInstallation } from '../../home/installation.js';

test('a desk that starts removes what was brought more than a week ago, and nothing else', async () => {
  const home = await mkdtemp(join(tmpdir(), 'greenlight-desk-'));
  const uploads = join(home, 'uploads');
  const [old, fresh] = [randomUUID(), randomUUID()];
  await mkdir(join(uploads, old), { recursive: true });
  for (const name of [`${old}.json`, `${fresh}.json`, 'notes.txt']) await writeFile(join(uploads, name), '{}');
  const eightDaysAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000);
  for (const name of [old, `${old}.json`, 'notes.txt']) await utimes(join(uploads, name), eightDaysAgo, eightDaysAgo);
  const env = { GREENLIGHT_HOME: home, GREENLIGHT_DESK_LISTEN: `127.0.0.1:${await freePort()}` };
  const installation = await openInstallation(await readConfig({ env, cwd: home, flags: {} }));
  try {
    const desk = await openDesk(installation, { onFault: () => undefined, diagnose: async () => [] });
    await desk.close();
    expect((await readdir(uploads)).sort()).toEqual([`${fresh}.json`, 'notes.txt']);
  } finally {
    await installation.close();
    await rm(home, { recursive: true, force: true });
  }
});
