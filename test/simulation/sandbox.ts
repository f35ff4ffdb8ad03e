import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface.js';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import type { Activities } from '../../activities/activities.js';
import { unreplayableFails } from '../../worker/workflow-code.js';

type Activation = Parameters<Workflow['activate']>[0];
type Completion = Awaited<ReturnType<Workflow['activate']>>;
export type Job = NonNullable<Activation['jobs']>[number];
export type Command = NonNullable<NonNullable<Completion['successful']>['commands']>[number];

export interface Start {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly taskQueue: string;
  readonly args: readonly unknown[];
}

export interface Task {
  readonly jobs: readonly Job[];
  readonly nowMs: number;
  /** Those that the SDK worked by when it did this task before; null for a task that is new. */
  readonly replayedBy: readonly number[] | null;
}

export interface Done {
  readonly commands: readonly Command[];
  /** Ways of working of the SDK that a replay has to keep to. */
  readonly flags: readonly number[];
}

/** One workflow in the SDK's own sandbox. */
export interface Sandboxed {
  /** @throws Error where the code failed, other than as its workflow's own end. */
  activate(task: Task): Promise<Done>;
  dispose(): Promise<void>;
}

export interface Sandbox {
  open(start: Start): Promise<Sandboxed>;
}

const activityNames: Readonly<Record<keyof Activities, true>> = {
  ...{
    preparePage: true,
    seal: true,
    gate: true,
    cutSlices: true,
    openSlices: true,
    openSlice: true,
    order: true,
    admit: true,
  },
  ...{ follow: true, archive: true, noteUnreplayable: true, requestCancel: true, settle: true, reconcile: true },
};

const noSourceMap = { version: 3, sources: [], names: [], mappings: '' } as const;

/**
 * The SDK's sandbox, with the real workflow code in it: the one thing that is missing is the core that a worker drives
 * it with, which speaks to a server and to nobody else. Here, whoever calls is server and core.
 *
 * @param bundlePath the bundled workflows; without one, they are bundled now.
 */
export async function openSandbox(bundlePath?: string): Promise<Sandbox> {
  const code = bundlePath === undefined ? await bundle() : await readFile(bundlePath, 'utf8');
  // It would take a stack trace of every promise of this process.
  globalHandlers.install = () => undefined;
  const bundled = { code, sourceMap: noSourceMap as never, filename: 'workflows.js' };
  // No time limit: for each call into the sandbox Node would start a thread that watches it.
  const noLimit = undefined as unknown as number;
  const creator = await ReusableVMWorkflowCreator.create(bundled, noLimit, new Set(Object.keys(activityNames)));
  return {
    async open(start) {
      const workflow = await creator.createWorkflow({
        ...{ info: infoOf(start), randomnessSeed: [start.runId.length], now: 0, showStackTraceSources: false },
        failureExceptionTypeNames: [...(unreplayableFails['*'] ?? [])],
      });
      return {
        async activate({ jobs, nowMs, replayedBy }) {
          const completion = await workflow.activate({
            ...{ runId: start.runId, timestamp: msToTs(nowMs), jobs: [...jobs], historyLength: 1 },
            ...{ isReplaying: replayedBy !== null, availableInternalFlags: [...(replayedBy ?? [])] },
          });
          if (completion.failed) throw new Error(`A workflow task fails: ${completion.failed.failure?.message}`);
          const { commands, usedInternalFlags } = completion.successful ?? {};
          return { commands: commands ?? [], flags: usedInternalFlags ?? [] };
        },
        dispose: () => workflow.dispose(),
      };
    },
  };
}

/** The first job of every workflow. */
export function initJob({ workflowId, type, args }: Start): Job {
  const payloads = args.map((arg) => defaultPayloadConverter.toPayload(arg));
  return { initializeWorkflow: { workflowId, workflowType: type, arguments: payloads, attempt: 1 } };
}

async function bundle(): Promise<string> {
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
  return (await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') })).code;
}

/** Bundles the workflows once for many processes. */
export async function writeBundle(path: string): Promise<void> {
  await writeFile(path, await bundle());
}

type Info = Parameters<ReusableVMWorkflowCreator['createWorkflow']>[0]['info'];

function infoOf({ workflowId, runId, type, taskQueue }: Start): Info {
  const started = new Date(0);
  return {
    ...{ workflowId, runId, workflowType: type, taskQueue, namespace: 'simulation', firstExecutionRunId: runId },
    ...{ attempt: 1, taskTimeoutMs: 10_000, startTime: started, runStartTime: started, searchAttributes: {} },
    ...{ typedSearchAttributes: undefined, historyLength: 1, historySize: 0, continueAsNewSuggested: false },
    unsafe: { isReplaying: false },
  } as unknown as Info; // what workflow code and the sandbox read of it
}
