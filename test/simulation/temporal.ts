import { ApplicationFailure, CancelledFailure, defaultPayloadConverter } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time.js';
import {
  type Activity,
  type Attempt,
  activityOf,
  answersAtOnce,
  backoffMs,
  canceledJob,
  childEndJob,
  completedJob,
  type Execution,
  failedJob,
  timeoutsOf,
} from './execution.js';
import type { Process } from './gates.js';
import { type Command, initJob, type Job, type Sandbox, type Sandboxed } from './sandbox.js';

export interface TemporalDeps {
  readonly sandbox: Sandbox;
  readonly clock: () => number;
  readonly isCalm: () => boolean;
}

const minuteMs = 60_000;

/** A server may be late with a retry: looks for room, and for files that are not there yet, would be most of a run. */
const lateMs: Readonly<Record<string, number>> = { admit: 3 * minuteMs, archive: 3 * minuteMs };
/** Once nothing more goes wrong: the looks at a movie that hangs, and at a decision, would be most of a run. */
const lateInCalmMs: Readonly<Record<string, number>> = { ...lateMs, follow: 10 * minuteMs, gate: 10 * minuteMs };

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * As much of Temporal's server and of the SDK's core as the workflows use, each step on its own: who calls decides
 * what happens next. Every workflow that loses its worker is replayed from its history, and must do again what it did.
 */
export class Temporal {
  readonly executions: Execution[] = [];
  /** Those of them that run. */
  readonly #running = new Set<Execution>();
  /** Code in memory of workflows that ended, or whose worker died. */
  readonly #left: Sandboxed[] = [];
  readonly #deps: TemporalDeps;

  constructor(deps: TemporalDeps) {
    this.#deps = deps;
  }

  /** The workflow of this id that runs now. */
  running(workflowId: string): Execution | undefined {
    for (const each of this.#running) if (each.workflowId === workflowId) return each;
    return undefined;
  }

  /** @returns null where one of this id runs. */
  start(
    { type, workflowId, taskQueue, args }: Pick<Execution, 'type' | 'workflowId' | 'taskQueue' | 'args'>,
    parent: Execution['parent'] = null,
  ): Execution | null {
    if (this.running(workflowId)) return null;
    const start = { type, workflowId, taskQueue, args, runId: `${workflowId}#${this.executions.length}` };
    const execution: Execution = {
      ...start,
      ...{ state: 'running', history: [], pending: [initJob(start)], activities: new Map(), timers: new Map() },
      ...{ parent, children: [], cached: null },
    };
    this.executions.push(execution);
    this.#running.add(execution);
    parent?.execution.children.push(execution);
    return execution;
  }

  /** @returns false where nobody of this id runs. */
  signal(workflowId: string, signalName: string, args: readonly unknown[] = []): boolean {
    const execution = this.running(workflowId);
    const input = args.map((arg) => defaultPayloadConverter.toPayload(arg));
    execution?.pending.push({ signalWorkflow: { signalName, input, identity: 'simulation' } });
    return execution !== undefined;
  }

  /** As a person does in Temporal's own tools. */
  cancel(execution: Execution): void {
    execution.pending.push({ cancelWorkflow: { reason: 'a person' } });
  }

  /** Those that have something to be told. */
  get tasks(): readonly Execution[] {
    return [...this.#running].filter(({ pending }) => pending.length > 0);
  }

  get activities(): readonly Activity[] {
    return [...this.#running].flatMap(({ activities }) => [...activities.values()]);
  }

  /** Activities whose next attempt may begin. */
  get startable(): readonly Activity[] {
    const nowMs = this.#deps.clock();
    return this.activities.filter(({ run, dueMs }) => run === null && dueMs <= nowMs);
  }

  /** When something happens by itself; infinite where nothing does. */
  get nextDueMs(): number {
    const timers = [...this.#running].flatMap((each) => [...each.timers.values()]);
    const activities = this.activities.map(({ run, dueMs }) => run?.timeoutMs ?? dueMs);
    // What could begin now waits for a worker.
    const nowMs = this.#deps.clock();
    return Math.min(...timers, ...activities.filter((dueMs) => dueMs > nowMs), Number.POSITIVE_INFINITY);
  }

  /** Timers and time limits that are over by now. */
  expire(): void {
    const nowMs = this.#deps.clock();
    for (const execution of [...this.#running]) {
      for (const [seq, dueMs] of execution.timers) {
        if (dueMs > nowMs) continue;
        execution.timers.delete(seq);
        execution.pending.push({ fireTimer: { seq } });
      }
      for (const activity of execution.activities.values()) {
        if (activity.run && activity.run.timeoutMs <= nowMs) this.giveUp(activity.run);
      }
    }
  }

  begin(activity: Activity, process: Process): Attempt {
    const startedMs = this.#deps.clock();
    const timeoutMs = startedMs + timeoutsOf(activity).startToCloseMs;
    activity.run = { activity, process, startedMs, timeoutMs, cancel: new AbortController() };
    return activity.run;
  }

  /** No sign of life: the server lets another attempt begin, whatever becomes of this one. */
  giveUp(attempt: Attempt): void {
    this.finish(attempt, { error: new Error('activity timed out') });
  }

  /** Of a dead process no sign of life comes any more. */
  losesProcess(process: Process): void {
    for (const activity of this.activities) {
      const { run } = activity;
      if (run?.process !== process) continue;
      const heartbeatMs = this.#deps.clock() + timeoutsOf(activity).heartbeatMs;
      activity.run = { ...run, timeoutMs: Math.min(run.timeoutMs, heartbeatMs) };
    }
    for (const execution of this.#running) if (execution.cached?.process === process) this.#leave(execution);
  }

  /** What an attempt reports. Nobody listens any more to one that was given up. */
  finish(attempt: Attempt, outcome: Outcome): void {
    const { activity } = attempt;
    const { execution } = activity;
    if (activity.run?.cancel !== attempt.cancel || execution.state !== 'running') return;
    if (!execution.activities.has(activity.seq)) return;
    const job = endJob(activity, outcome);
    if (job) {
      this.#resolve(activity, job);
      return;
    }
    const failure = 'error' in outcome && outcome.error instanceof ApplicationFailure ? outcome.error : null;
    activity.run = null;
    const waitMs = failure?.nextRetryDelay ? delayMs(failure) : backoffMs(activity);
    const late = this.#deps.isCalm() ? lateInCalmMs : lateMs;
    activity.dueMs = this.#deps.clock() + Math.max(waitMs, late[activity.type] ?? 0);
    activity.attempt += 1;
  }

  #resolve({ execution, seq }: Activity, job: Job): void {
    execution.activities.delete(seq);
    execution.pending.push(job);
  }

  /** Lets a worker do what the workflow has to do now. */
  async runTask(execution: Execution, process: Process): Promise<void> {
    const workflow = await this.#workflowAt(execution, process);
    let jobs = execution.pending;
    while (jobs.length > 0 && execution.state === 'running') {
      execution.pending = [];
      jobs = jobs.toSorted((one, other) => rank(one) - rank(other));
      const task = { jobs, nowMs: this.#deps.clock() };
      const { commands, flags } = await workflow.activate({ ...task, replayedBy: null });
      execution.history.push({ ...task, flags, commands: JSON.stringify(commands) });
      jobs = commands.flatMap((command) => this.#obey(execution, command));
    }
    await this.tidy();
  }

  /** Forgets the code in memory, as a full cache does. */
  async evict(execution: Execution): Promise<void> {
    this.#leave(execution);
    await this.tidy();
  }

  #leave(execution: Execution): void {
    if (execution.cached) this.#left.push(execution.cached.workflow);
    execution.cached = null;
  }

  /** @throws Error where the code does not do again what it did. */
  async #workflowAt(execution: Execution, process: Process) {
    if (execution.cached?.process === process) return execution.cached.workflow;
    await this.evict(execution);
    const workflow = await this.#deps.sandbox.open(execution);
    execution.cached = { workflow, process };
    for (const { commands: before, flags, ...task } of execution.history) {
      const again = JSON.stringify((await workflow.activate({ ...task, replayedBy: flags })).commands);
      if (again !== before) throw new Error(`O8 ${execution.workflowId} does not replay: ${before} is now ${again}`);
    }
    return workflow;
  }

  /** @returns what the workflow is told of it at once. */
  #obey(execution: Execution, command: Command): readonly Job[] {
    const nowMs = this.#deps.clock();
    if (command.scheduleActivity) {
      const activity = activityOf(execution, command.scheduleActivity, nowMs);
      execution.activities.set(activity.seq, activity);
    } else if (command.requestCancelActivity) {
      return this.#cancelActivity(execution.activities.get(command.requestCancelActivity.seq ?? 0));
    } else if (command.startTimer) {
      execution.timers.set(command.startTimer.seq ?? 0, nowMs + tsToMs(command.startTimer.startToFireTimeout));
    } else if (command.cancelTimer) {
      execution.timers.delete(command.cancelTimer.seq ?? 0);
    } else if (command.startChildWorkflowExecution) {
      this.#startChild(execution, command.startChildWorkflowExecution);
    } else if (command.signalExternalWorkflowExecution) {
      this.#signalOther(execution, command.signalExternalWorkflowExecution);
    } else if (command.completeWorkflowExecution) {
      this.close(execution, 'completed');
    } else if (command.failWorkflowExecution) {
      this.close(execution, 'failed', command.failWorkflowExecution.failure);
    } else if (command.cancelWorkflowExecution) {
      this.close(execution, 'canceled');
    } else if (!command.cancelSignalWorkflow) {
      // A signal has arrived before anybody could take it back.
      throw new Error(`The simulation knows no command ${Object.keys(command)}`);
    }
    return [];
  }

  #cancelActivity(activity: Activity | undefined): readonly Job[] {
    if (!activity) return [];
    activity.cancelRequested = true;
    const { execution, seq, run } = activity;
    if (!answersAtOnce(activity) && run !== null) return [];
    execution.activities.delete(seq);
    return [canceledJob(activity)];
  }

  #startChild(execution: Execution, start: NonNullable<Command['startChildWorkflowExecution']>): void {
    const { seq = 0, workflowId = '', workflowType: type = '', input } = start;
    const args = (input ?? []).map((payload) => defaultPayloadConverter.fromPayload(payload));
    const child = this.start(
      { type: type ?? '', workflowId: workflowId ?? '', taskQueue: execution.taskQueue, args },
      { execution, seq: seq ?? 0 },
    );
    const failed = { workflowId, workflowType: type, cause: 1 };
    execution.pending.push({
      resolveChildWorkflowExecutionStart: { seq, ...(child ? { succeeded: { runId: child.runId } } : { failed }) },
    });
  }

  #signalOther(execution: Execution, signal: NonNullable<Command['signalExternalWorkflowExecution']>): void {
    const workflowId = signal.workflowExecution?.workflowId ?? signal.childWorkflowId ?? '';
    const args = (signal.args ?? []).map((payload) => defaultPayloadConverter.fromPayload(payload));
    const heard = this.signal(workflowId, signal.signalName ?? '', args);
    const failure = { message: 'nobody of this id runs', applicationFailureInfo: { type: 'NotFound' } };
    execution.pending.push({ resolveSignalExternalWorkflow: { seq: signal.seq ?? 0, ...(!heard && { failure }) } });
  }

  /** Ends a workflow, and those that it started. */
  close(execution: Execution, end: Exclude<Execution['state'], 'running'>, failure?: unknown): void {
    if (execution.state !== 'running') return;
    execution.state = end;
    this.#running.delete(execution);
    this.#leave(execution);
    for (const child of execution.children) this.close(child, 'terminated');
    const { parent } = execution;
    if (parent?.execution.state === 'running') parent.execution.pending.push(childEndJob(execution, end, failure));
  }

  /** Frees the memory of code that nobody needs any more. */
  async tidy(): Promise<void> {
    for (const workflow of this.#left.splice(0)) await workflow.dispose();
  }

  /** Frees the memory of all. */
  async end(): Promise<void> {
    for (const each of this.#running) this.#leave(each);
    await this.tidy();
  }
}

/** Null where another attempt follows. */
function endJob(activity: Activity, outcome: Outcome): Job | null {
  if ('value' in outcome) return completedJob(activity, outcome.value);
  const { error } = outcome;
  if (activity.cancelRequested) {
    return error instanceof CancelledFailure ? canceledJob(activity) : failedJob(activity, error);
  }
  return error instanceof ApplicationFailure && error.nonRetryable ? failedJob(activity, error) : null;
}

function delayMs({ nextRetryDelay }: ApplicationFailure): number {
  if (typeof nextRetryDelay !== 'number') throw new Error('The simulation takes retry delays in milliseconds only');
  return nextRetryDelay;
}

/** The core tells of signals before anything else. */
function rank({ initializeWorkflow, signalWorkflow }: Job): number {
  if (initializeWorkflow) return 0;
  return signalWorkflow ? 1 : 2;
}
