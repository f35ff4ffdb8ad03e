import { appendAudit } from '../../../ledger/access/audit.js';
import { listPeople } from '../../../ledger/access/people.js';
import type { Scene } from '../scene.js';

/** As it could come to when the last admin could be removed: nobody is left who could register another. */
export async function removeEverybody({ ledger, nowMs }: Scene): Promise<void> {
  const people = await listPeople(ledger);
  await ledger.write(async (tx) => {
    const actor = { name: 'ada', channel: 'terminal' } as const;
    for (const { name } of people) {
      await tx.updateTable('people').set({ removed_ms: nowMs }).where('name', '=', name).execute();
      await appendAudit(tx, { atMs: nowMs, actor, act: 'people_remove', object: name, detail: {} });
    }
  });
}
