import { keyWindowMs } from '../../domain/deadlines/key-window.js';
import type { Stop } from '../../domain/stop.js';
import { readPolicy } from '../access/policies.js';
import { readBatchRecord } from '../batches/batch-record.js';
import { stopsOf } from '../batches/batches.js';
import { countsOf } from '../batches/rows.js';
import { pastPlanned } from '../database/partial-indexes.js';
import type { Ledger } from '../ledger.js';
import { placesLeft, unlimited } from './in-flight-limit.js';
import { stopNote } from './resend.js';

export interface AdmissionRoom {
  /** How many rows would be admitted now; all that are left when none is left to admit. */
  readonly room: number;
  /** Whether a person has to end a stop first. */
  readonly stopped: boolean;
  readonly stops: readonly Stop[];
  /** For how long the service still wants no create; 0 when it did not ask. */
  readonly pauseMs: number;
}

export interface Outside {
  readonly batchId: string;
  /** Whose rows ask: what another slice's rows may do is no reason for these to ask. Every slice when left out. */
  readonly slice?: number | undefined;
}

/** Whether rows of the batch that wait outside should ask again: admission itself decides. */
export async function admissionOpen(ledger: Ledger, { batchId, slice }: Outside): Promise<AdmissionRoom> {
  const nowMs = await ledger.now();
  const outside = { batchId, slice, nowMs };
  const batch = await readBatchRecord(ledger.db, batchId);
  const service = await ledger.db
    .selectFrom('services')
    .selectAll()
    .where('service_no', '=', batch.service_no)
    .executeTakeFirstOrThrow();
  const { planned = 0, blocked = 0, ordering = 0 } = await countsOf(ledger.db, batchId);
  const left = planned + blocked + ordering;
  // Canceled or closed meanwhile: whoever waits is to hear of it.
  if (batch.state !== 'making' || left === 0) return { room: unlimited, stopped: false, stops: [], pauseMs: 0 };
  const stops = await stopsOf(ledger.db, batch);
  if (stops.length > 0 && (await hasForgottenKeys(ledger, outside))) {
    return { room: unlimited, stopped: true, stops, pauseMs: 0 };
  }
  const limits = [placesLeft(service), placesLeft(batch), batch.canary_left ?? unlimited];
  const pauseMs = Math.max(0, service.not_before_ms - nowMs);
  const places = stops.length > 0 ? 0 : Math.max(0, Math.min(...limits));
  const mayRepeat = ordering > 0 && stops.every(({ kind }) => kind === 'canary');
  const room = pauseMs > 0 ? 0 : places + (mayRepeat ? await heldBack(ledger, outside) : 0);
  return { room, stopped: stops.length > 0, stops, pauseMs };
}

type Asking = Outside & { readonly nowMs: number };

/** Admitted rows of the slice. */
function admittedRows({ db }: Ledger, { batchId, slice }: Asking) {
  const rows = db.selectFrom('rows').where('batch_id', '=', batchId).where('state', '=', 'ordering').where(pastPlanned);
  return slice === undefined ? rows : rows.where('slice', '=', slice);
}

/** How many admitted rows waited for the end of a stop: each has its place, which may be the very one that others lack. */
async function heldBack(ledger: Ledger, asking: Asking): Promise<number> {
  const { rows } = await admittedRows(ledger, asking)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('alarm', 'like', `${stopNote}%`)
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/** Rows that wait for the end of a stop and that the service may have forgotten by now: asked again, they become unknown. */
async function hasForgottenKeys(ledger: Ledger, asking: Asking): Promise<boolean> {
  const { policy } = await readPolicy(ledger.db);
  const forgotten = await admittedRows(ledger, asking)
    .select('row_key')
    .where('uncertain_sends', '>', 0)
    .where('resend', '!=', 1)
    .where('next_send_ms', '<=', asking.nowMs) // else it asks by itself
    .where('first_sent_ms', '<=', asking.nowMs - keyWindowMs(policy))
    .limit(1)
    .executeTakeFirst();
  return forgotten !== undefined;
}
