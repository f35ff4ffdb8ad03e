import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openParts } from '../../home/services.js';
import { studioKey, webhookSecret } from '../../home/studio-process.js';
import { openLedger } from '../../ledger/ledger.js';
import { createStudio } from '../../studio/studio.js';

test('databases, what SQLite puts beside them, and secrets are for their owner only', async () => {
  const home = await mkdtemp(join(tmpdir(), 'greenlight-permissions-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const ledger = await openLedger({ url: `sqlite:${join(home, 'ledger.db')}` });
  const parts = await openParts(home);
  const studio = await createStudio({ dataFolder: join(home, 'studio'), apiKeys: ['key'], render: 'stub' });
  await studioKey(home);
  await webhookSecret(home);
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const modes = await Promise.all(
    files.map(async ({ name, parentPath }) => [name, ((await stat(join(parentPath, name))).mode & 0o777).toString(8)]),
  );
  await studio.close();
  parts.close();
  await ledger.close();
  const names = [
    'ledger.db',
    'ledger.db-wal',
    'ledger.db-shm',
    'parts.db',
    'studio.db',
    'studio.key',
    'webhook.secret',
  ];
  expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(names));
  expect(modes.filter(([, mode]) => mode !== '600')).toEqual([]);
});
