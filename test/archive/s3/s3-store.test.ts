import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createS3Store } from '../../../archive/s3/s3-store.js';
import { describeArchiveStore } from '../archive-store.case.js';
import { type S3Server, s3Servers, startS3Server, useServer, whyNoServer } from './s3-server.js';

for (const name of s3Servers) {
  const why = whyNoServer(name);
  if (why !== null) {
    test.skip(`skipped: ${why}`);
    continue;
  }
  describe(name, () => {
    let server: S3Server;
    let leave: () => void;
    beforeAll(async () => {
      server = await startS3Server(name);
      leave = useServer(server);
    });
    afterAll(async () => {
      leave();
      await server.stop();
    });

    test('a signed link gives the film to whoever has it, and to nobody once it has been changed', async () => {
      const stagingFolder = await mkdtemp(join(tmpdir(), 'greenlight-staging-'));
      const store = createS3Store({ url: `s3://movies/${randomUUID()}`, stagingFolder });
      try {
        const folder = await store.openFolder('b-1/r-1');
        await folder.writeText('final.mp4', 'a film');
        const link = (await store.presign?.('b-1/r-1/final.mp4', 60)) ?? '';
        const answer = await fetch(link, { headers: { range: 'bytes=2-5' } });
        expect([answer.status, await answer.text()]).toEqual([206, 'film']);
        expect(answer.headers.get('content-type')).toBe('video/mp4');
        const changed = await fetch(link.replace('Expires=60', 'Expires=6000'));
        await changed.text();
        expect(changed.status).toBe(name === 'moto' ? 200 : 403); // moto looks at no signature
      } finally {
        store.close();
        await rm(stagingFolder, { recursive: true, force: true });
      }
    });

    describeArchiveStore('a bucket', async () => {
      const stagingFolder = await mkdtemp(join(tmpdir(), 'greenlight-staging-'));
      const store = createS3Store({ url: `s3://movies/${randomUUID()}`, stagingFolder });
      return {
        store,
        async remove() {
          store.close();
          await rm(stagingFolder, { recursive: true, force: true });
        },
      };
    });
  });
}
