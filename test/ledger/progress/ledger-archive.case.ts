import { expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { archiveOf, claimArchive, useArchive } from '../../../ledger/progress/ledger-archive.js';
import type { Databases } from '../databases.js';
import { fay } from '../scene.js';
import { suite } from '../suite.js';

const [first, other] = [
  { id: 'one', url: 'file:///srv/movies' },
  { id: 'two', url: 's3://movies' },
];

export function ledgerArchiveCases(databases: Databases): void {
  suite('the archive of a ledger', databases, (stage) => {
    test('is that of the first worker, of many at once', async () => {
      const { ledger } = stage.scene;
      expect(await archiveOf(ledger)).toBeNull();
      const heard = await Promise.all([first, other, first, other].map((archive) => claimArchive(ledger, archive)));
      expect(new Set(heard.map(({ id }) => id)).size).toBe(1);
    });

    test('stays what it was when it has moved', async () => {
      const { ledger } = stage.scene;
      await claimArchive(ledger, first);
      expect(await claimArchive(ledger, other)).toEqual(first);
      const moved = { ...first, url: 'file:///mnt/movies' };
      expect(await claimArchive(ledger, moved)).toEqual(moved);
    });

    test('is changed by a person, with a reason that is kept', async () => {
      const { ledger, nowMs } = stage.scene;
      await claimArchive(ledger, first);
      await useArchive(ledger, { archive: other, actor: fay, reason: 'a larger disk', nowMs });
      expect(await claimArchive(ledger, first)).toEqual(other);
      const record = (await listAudit(ledger, { object: 'ledger', limit: 10 })).find(
        ({ act }) => act === 'use_archive',
      );
      expect(record).toMatchObject({ actor: { name: 'fay' } });
      expect(JSON.stringify(record)).toContain('a larger disk');
    });
  });
}
