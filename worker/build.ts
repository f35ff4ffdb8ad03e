import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import type { WorkflowCode } from './workflow-code.js';

const { version } = createRequire(import.meta.url)('#root/package.json') as { readonly version: string };

/**
 * What this worker runs, as Temporal's API lists it: the release, and which workflows it has. This is information only:
 * work goes to any worker, whatever its build, and a workflow that does not fit its code is started again. If work were
 * assigned by build, a batch would stand still when the last worker of a build is gone.
 */
export async function deploymentOf(
  ledgerQueue: string,
  { workflowBundle }: WorkflowCode,
): Promise<WorkerDeploymentOptions> {
  const code = workflowBundle && 'codePath' in workflowBundle ? await readFile(workflowBundle.codePath) : null;
  const digest = code === null ? 'sources' : createHash('sha256').update(code).digest('hex').slice(0, 8);
  return {
    version: { deploymentName: ledgerQueue, buildId: `${version}-${digest}` },
    useWorkerVersioning: false,
  };
}
