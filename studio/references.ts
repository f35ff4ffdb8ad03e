import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Reference, ReferenceRole } from '../api/contract.js';
import type { Store } from './store.js';

export interface ReferenceRecord {
  readonly id: string;
  readonly keyHash: string;
  readonly role: z.infer<typeof ReferenceRole>;
  readonly description: string | null;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly createdMs: number;
}

export interface References {
  /** Takes over the received bytes. Visible once `insert` is committed. */
  adopt(id: string, receivedPath: string): Promise<void>;
  insert(reference: ReferenceRecord): void;
  /** Null also when it belongs to another key. */
  find(id: string, keyHash: string): ReferenceRecord | null;
  pathOf(id: string): string;
  /** Removes bytes whose row was never committed. */
  sweep(): Promise<void>;
}

export function createReferences({ db, referencesFolder }: Store): References {
  const insert = db.prepare('INSERT INTO "references" VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const find = db.prepare<[string, string], ReferenceRecord>(`SELECT id, key_hash AS keyHash, role, description,
    mime_type AS mimeType, size_bytes AS sizeBytes, sha256, created_ms AS createdMs
    FROM "references" WHERE id = ? AND key_hash = ?`);
  const exists = db.prepare('SELECT 1 FROM "references" WHERE id = ?');
  const pathOf = (id: string) => join(referencesFolder, id);
  return {
    pathOf,
    adopt: (id, receivedPath) => rename(receivedPath, pathOf(id)),
    insert({ id, keyHash, role, description, mimeType, sizeBytes, sha256, createdMs }) {
      insert.run(id, keyHash, role, description, mimeType, sizeBytes, sha256, createdMs);
    },
    find: (id, keyHash) => find.get(id, keyHash) ?? null,
    async sweep() {
      const orphans = (await readdir(referencesFolder)).filter((name) => !exists.get(name));
      await Promise.all(orphans.map((name) => rm(pathOf(name), { force: true })));
    },
  };
}

export function referenceBody({ id, role, mimeType, createdMs, description }: ReferenceRecord): Reference {
  const created_at = new Date(createdMs).toISOString();
  return { id, role, mime_type: mimeType, created_at, ...(description !== null && { description }) };
}
