import { readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Temporal's core carries the binaries of five platforms, 137 MB: a clone keeps the one that runs here.
const require = createRequire(import.meta.resolve('@temporalio/worker'));
const { getPrebuiltTargetName } = require('@temporalio/core-bridge/common') as { getPrebuiltTargetName(): string };
const releases = join(dirname(require.resolve('@temporalio/core-bridge/package.json')), 'releases');
for (const name of await readdir(releases)) {
  if (name !== getPrebuiltTargetName()) await rm(join(releases, name), { recursive: true, force: true });
}
