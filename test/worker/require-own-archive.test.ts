import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileStore } from '../../archive/folder/file-store.js';
import { openLedger } from '../../ledger/ledger.js';
import { requireOwnArchive } from '../../worker/require-own-archive.js';

test('a worker of a shared ledger with another archive refuses to start and names both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-archives-'));
  const ledger = await openLedger({ url: 'sqlite::memory:' });
  onTestFinished(async () => {
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  });
  const [own, other] = [await createFileStore(join(folder, 'a')), await createFileStore(join(folder, 'b'))];
  const shared = { ...ledger, dialect: 'postgres' } as const;
  await requireOwnArchive(shared, own);
  await requireOwnArchive(shared, own);
  await expect(requireOwnArchive(shared, other)).rejects.toThrow(
    /^Cannot start a worker: its archive is file:.*\/b \([\w-]{36}\), and this ledger's is file:.*\/a \([\w-]{36}\); set GREENLIGHT_ARCHIVE_URL, or run: greenlight ledger use-archive$/,
  );
  await requireOwnArchive(ledger, other); // on one machine, each run may have its own
});
