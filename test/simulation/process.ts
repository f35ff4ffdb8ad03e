import { join } from 'node:path';
import type { Activities } from '../../activities/activities.js';
import { createActivities } from '../../activities/create-activities.js';
import { defaultPacing } from '../../activities/deps.js';
import { createFileStore } from '../../archive/folder/file-store.js';
import { createMovieArchiver, type MovieArchiver } from '../../archive/movie-archiver.js';
import type { ArchiveMarks } from '../../domain/ledger-mark.js';
import { CommitUncertainError, LedgerAwayError } from '../../ledger/database/outage.js';
import type { Ledger } from '../../ledger/ledger.js';
import { ledgerMark } from '../../ledger/verification/restored-ledger.js';
import type { WorkflowPort } from '../../operations/workflow-port.js';
import { createReportFolder, type ReportTarget } from '../../reports/report-folder.js';
import { followSignal, limitSignal, namesOf, nudgeSignal, sliceStarts, takeUpSignal } from '../../workflows/names.js';
import { studio as studioService } from '../ledger/scene.js';
import type { Gates, Process } from './gates.js';
import type { Temporal } from './temporal.js';
import { FileWire, gatedStore } from './wire/downloads.js';
import type { Network, NetworkDeps } from './wire/network.js';

export interface Surroundings extends NetworkDeps {
  readonly ledger: Ledger;
  readonly temporal: Temporal;
  readonly network: Network;
  readonly archiveFolder: string;
  readonly marks: ArchiveMarks;
  readonly rowsPerSlice: number;
  readonly ordersPerSecond: number | null;
}

/** Commits stand at a gate before and after; a ledger that is away may have committed or not. */
export function gatedLedger(process: Process, { ledger, gates, faults, probability }: Surroundings): Ledger {
  return {
    ...ledger,
    async write(work, options) {
      await gates.park({ kind: 'write', label: 'begin', process });
      const fault = faults.draw(probability / 4, ['ledger away', 'commit lost', 'commit uncertain'], 'a commit');
      if (fault === 'ledger away') throw new LedgerAwayError('Cannot reach the ledger: the simulation says so');
      if (fault === 'commit lost') throw new CommitUncertainError('the connection ended during the commit');
      const done = await gates.work(() => ledger.write(work, options));
      if (fault === 'commit uncertain') throw new CommitUncertainError('the connection ended during the commit');
      await gates.park({ kind: 'committed', label: 'go on', process });
      return done;
    },
  };
}

export interface Worker extends Process {
  readonly activities: Activities;
}

/** A worker process: the product's own activities over gates. */
export async function startWorker(name: string, around: Surroundings): Promise<Worker> {
  const process: Process = { name, alive: true };
  const { gates, network, archiveFolder, clock, rowsPerSlice, ordersPerSecond } = around;
  const store = gatedStore(await createFileStore(archiveFolder), process, around);
  const real = createMovieArchiver({ store, clock, dispatcher: new FileWire(around, process) });
  const archiver: MovieArchiver = { archive: (...args) => gates.work(() => real.archive(...args)) };
  const workflows = workflowPort(process, around);
  const activities = createActivities({
    ...{ ledger: gatedLedger(process, around), api: network.api(process), archiver, clock, service: studioService },
    remoteFiles: { fetch: () => Promise.reject(new Error('the simulation has no remote files')) },
    reportFolder: (batchId) => atWork(gates, createReportFolder(join(archiveFolder, batchId))),
    markArchive: async () => around.marks.write({ ...(await ledgerMark(around.ledger)), service: studioService }),
    startBatch: workflows.startBatch,
    takeUpRows: workflows.takeUpRows,
    badEndOf: async (batchId) => badEnd(around.temporal, namesOf(around.ledger.id).batch(batchId)),
    // A poll a quarter of an hour: what is asked more often finds the same.
    polling: { floorMs: 500, ceilingMs: 15 * 60_000 },
    pacing: { ...defaultPacing, patienceMs: 0, gatherMs: 0, trickleMs: 0 },
    ...{ webhookUrl: null, rowsPerSlice, ordersPerSecond, maxInFlight: 100 },
  });
  return Object.assign(process, { activities });
}

function badEnd({ executions }: Temporal, workflowId: string): string | null {
  const state = executions.findLast((each) => each.workflowId === workflowId)?.state ?? 'running';
  return state === 'running' || state === 'completed' ? null : state;
}

/** Reports go to the disk: that takes turns of the event loop. */
function atWork(gates: Gates, target: ReportTarget): ReportTarget {
  return {
    async begin(name) {
      const file = await gates.work(() => target.begin(name));
      return {
        write: (text) => gates.work(() => file.write(text)),
        publish: () => gates.work(() => file.publish()),
        discard: () => gates.work(() => file.discard()),
      };
    },
  };
}

/** Tells Temporal, which may not hear it. */
export function workflowPort(
  process: Process,
  { ledger, gates, faults, temporal, probability }: Surroundings,
): WorkflowPort {
  const names = namesOf(ledger.id);
  async function told(label: string, tell: () => unknown): Promise<boolean> {
    await gates.park({ kind: 'temporal', label, process });
    const fault = faults.draw(probability, ['signal lost', 'signal unheard', 'signal doubled'], label);
    if (fault === 'signal lost') return true;
    if (fault === 'signal unheard') return false;
    tell();
    if (fault === 'signal doubled') tell();
    return true;
  }
  const start = (batchId: string) =>
    temporal.start({
      ...{ type: 'batchWorkflow', workflowId: names.batch(batchId), taskQueue: names.workflowQueue },
      args: [{ ledgerId: ledger.id, batchId }],
    });
  return {
    startBatch: (batchId) => told(`start ${batchId}`, () => start(batchId)),
    takeUpRows: (batchId) =>
      told(`take up ${batchId}`, () => {
        start(batchId);
        temporal.signal(names.batch(batchId), takeUpSignal);
      }),
    resizeBatch: (batchId) => told(`resize ${batchId}`, () => temporal.signal(names.batch(batchId), limitSignal)),
    nudgeBatch: (batchId) => told(`nudge ${batchId}`, () => temporal.signal(names.batch(batchId), nudgeSignal)),
    nudgeSlice: (batchId, slice) =>
      told(`nudge ${batchId} ${slice}`, () => {
        for (let start = 1; start <= sliceStarts; start += 1) {
          if (temporal.signal(names.slice(batchId, slice, start), followSignal)) return;
        }
      }),
  };
}
