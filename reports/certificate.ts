import type { BatchView } from '../ledger/batches/batches.js';
import type { CertificateFacts } from '../ledger/progress/certificate-facts.js';
import { decisionJson } from './decision-json.js';
import type { ReportFile } from './report-folder.js';
import type { ResultRow } from './result-row.js';
import { timeJson } from './time-json.js';

/**
 * What a batch comes down to, for whoever has to sign it off: rows in and out, money to the unit, the plan that was
 * approved and by whom, every movie's files with their hashes, and the ends of the chains that the ledger can be
 * compared with.
 */
export class CertificateWriter {
  readonly #file: ReportFile;
  #movies = 0;

  private constructor(file: ReportFile) {
    this.#file = file;
  }

  static async begin(file: ReportFile, head: CertificateHead): Promise<CertificateWriter> {
    // The members that follow are written as the rows pass by.
    await file.write(`${JSON.stringify(headOf(head), null, 2).slice(0, -2)},\n  "movies": [`);
    return new CertificateWriter(file);
  }

  /** Only rows that have files are listed. */
  async add({ row, movieId, files }: ResultRow): Promise<void> {
    if (files.length === 0) return;
    const movie = {
      ...{ id: row.rowKey, movie_id: movieId, state: row.state },
      files: files.map(({ path, type, sizeBytes, sha256 }) => ({ path, type, size_bytes: sizeBytes, sha256 })),
    };
    await this.#file.write(`${this.#movies === 0 ? '' : ','}\n    ${JSON.stringify(movie)}`);
    this.#movies += 1;
  }

  async end(): Promise<void> {
    await this.#file.write(`${this.#movies === 0 ? '' : '\n  '}]\n}\n`);
    await this.#file.publish();
  }
}

export interface CertificateHead {
  readonly batch: BatchView;
  readonly facts: CertificateFacts;
  readonly nowMs: number;
}

function headOf({ batch, facts, nowMs }: CertificateHead): object {
  const { money, audit } = facts;
  return {
    batch: batch.batchId,
    campaign: batch.campaign,
    manifest: batch.manifestName,
    service: { name: batch.service.name, base_url: batch.service.baseUrl },
    rehearsal: facts.rehearsal,
    provisional: facts.provisional,
    state: batch.state,
    state_reason: batch.stateReason,
    rows: { in: facts.rowsIn, out: facts.rowsOut, by_state: facts.counts },
    money: {
      currency: money.currency,
      estimated_minor: money.estimated,
      approved_minor: money.approved,
      held_minor: money.held,
      posted_minor: money.posted,
      refunded_minor: money.refunded,
      returned_minor: money.returned,
      overrun_minor: money.overrun,
      unknown_minor: money.unknown,
    },
    assumptions: facts.assumptions,
    plan_digest: facts.planDigest,
    budget: batch.settings.budgetPath,
    submitted: { by: batch.submittedBy, at: timeJson(batch.submittedAtMs) },
    decision: batch.decision && decisionJson(batch.decision),
    settled_at: timeJson(batch.settledAtMs),
    ledger: facts.ledgerId,
    audit: { length: audit.length, head: audit.head },
    entries: { count: facts.entries.count, head: facts.entries.head },
    invoiced: facts.invoiced,
    written_at: timeJson(nowMs),
  };
}
