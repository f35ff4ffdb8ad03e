import type { Stop } from '../../domain/stop.js';
import { readBatchRecord } from '../batches/batch-record.js';
import { stopsOf } from '../batches/batches.js';
import { countsOf } from '../batches/rows.js';
import type { Ledger } from '../ledger.js';

export interface AdmissionRoom {
  /** How many rows would be admitted now; all that are left when none is left to admit. */
  readonly room: number;
  /** Whether a person has to end a stop first. */
  readonly stopped: boolean;
  readonly stops: readonly Stop[];
  /** The service asked for no create before this; 0 when it did not. */
  readonly notBeforeMs: number;
}

/** More than any slice has rows. */
const everybody = 1_000_000;

/** Whether rows of the batch that wait outside should ask again: admission itself decides. */
export async function admissionOpen(
  ledger: Ledger,
  { batchId, nowMs }: { readonly batchId: string; readonly nowMs: number },
): Promise<AdmissionRoom> {
  const batch = await readBatchRecord(ledger.db, batchId);
  const service = await ledger.db
    .selectFrom('services')
    .selectAll()
    .where('service_no', '=', batch.service_no)
    .executeTakeFirstOrThrow();
  const { planned = 0, blocked = 0, ordering = 0 } = await countsOf(ledger.db, batchId);
  const left = planned + blocked + ordering;
  // Canceled or closed meanwhile: whoever waits is to hear of it.
  if (batch.state !== 'making' || left === 0) return { room: everybody, stopped: false, stops: [], notBeforeMs: 0 };
  const stops = await stopsOf(ledger.db, batch);
  const limits = [placesLeft(service), placesLeft(batch), batch.canary_left ?? everybody];
  const room = stops.length > 0 || service.not_before_ms > nowMs ? 0 : Math.max(0, Math.min(...limits));
  return { room, stopped: stops.length > 0, stops, notBeforeMs: service.not_before_ms };
}

function placesLeft({
  in_flight,
  max_in_flight,
}: {
  readonly in_flight: number;
  readonly max_in_flight: number | null;
}): number {
  return max_in_flight === null ? everybody : max_in_flight - in_flight;
}
