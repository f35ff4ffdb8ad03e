import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../home/free-port.js';
import { startTemporalServer } from '../../home/temporal/temporal-server.js';

test('a Temporal server that panics while it starts is started once more, and then its reason is told', async () => {
  const home = await mkdtemp(join(tmpdir(), 'greenlight-panic-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const program = join(home, 'temporal');
  await writeFile(program, `#!/bin/sh\necho x >> ${home}/starts\necho 'panic: nil pointer' >&2\nexit 2\n`);
  await chmod(program, 0o755);
  const said: string[] = [];
  const pids: number[] = [];
  const start = startTemporalServer({
    ...{ home, port: await freePort(), env: { ...process.env, TEMPORAL_CLI_PATH: program } },
    ...{ say: (line: string) => said.push(line), record: (pid: number) => pids.push(pid) },
  });
  await expect(start).rejects.toThrow(/it ended with code 2; its log says: panic: nil pointer/);
  expect(said).toContain('Temporal exited while starting; starting it again');
  expect(pids).toHaveLength(2);
});
