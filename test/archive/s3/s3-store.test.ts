import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
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
