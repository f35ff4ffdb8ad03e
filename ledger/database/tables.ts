import type { Generated } from 'kysely';
import type { BatchState } from '../../domain/batch-state.js';
import type { RowClass } from '../../domain/row-class.js';
import type { RowState } from '../../domain/row-state.js';
import type { ColumnKind } from './postgres.js';

/** The books. Money is in minor units, times are milliseconds since 1970, flags are 0 or 1, documents are JSON text. */
export interface Tables {
  ledger: LedgerTable;
  people: PeopleTable;
  policy_changes: PolicyChangesTable;
  refused_tokens: RefusedTokensTable;
  sign_in_codes: SignInCodesTable;
  sessions: SessionsTable;
  services: ServicesTable;
  campaigns: CampaignsTable;
  lineages: LineagesTable;
  budgets: BudgetsTable;
  batches: BatchesTable;
  decisions: DecisionsTable;
  plan_figures: PlanFiguresTable;
  rows: RowsTable;
  slices: SlicesTable;
  run_times: RunTimesTable;
  orders: OrdersTable;
  sends: SendsTable;
  entries: EntriesTable;
  invoices: InvoicesTable;
  invoice_lines: InvoiceLinesTable;
  files: FilesTable;
  uploads: UploadsTable;
  proposals: ProposalsTable;
  audit: AuditTable;
  archived_batches: ArchivedBatchesTable;
  recovered_movies: RecoveredMoviesTable;
  reviews: ReviewsTable;
  notices: NoticesTable;
  notice_channels: NoticeChannelsTable;
  notice_messages: NoticeMessagesTable;
  notice_reminders: NoticeRemindersTable;
  share_links: ShareLinksTable;
}

/** One row: who this ledger is, its policy, and the end of its audit chain. */
export interface LedgerTable {
  id: number;
  ledger_id: string;
  created_ms: number;
  policy: string;
  policy_version: number;
  audit_length: number;
  audit_head: string;
  /** Why nothing is ordered from this ledger until somebody has looked: it was restored, or is not the archive's own. */
  halted: string | null;
  /** The archive that a shared ledger's movies go to, and where it was found; null before its first worker. */
  archive_id: string | null;
  archive_url: string | null;
}

export interface PeopleTable {
  name: string;
  token_hash: string;
  roles: string;
  added_ms: number;
  added_by: string;
  removed_ms: number | null;
  /** From then on the token opens nothing; null: it does not end. */
  token_expires_ms: number | null;
}

/** One change of the rules; `version` is the one that it made. */
export interface PolicyChangesTable {
  version: number;
  at_ms: number;
  by_name: string;
  before: string;
  after: string;
}

/** Tries with a token that opens nothing: when the audit last told of them, and how many came after that. */
export interface RefusedTokensTable {
  /** Whose the token was, empty for one that never was anybody's. */
  owner: string;
  recorded_ms: number;
  unrecorded: number;
}

/** A code that signs somebody in once, by its hash. */
export interface SignInCodesTable {
  code_hash: string;
  name: string;
  /** Of whoever works alone, who is nobody that is registered. */
  alone: number;
  until_ms: number;
}

/** A browser that somebody signed in with, by the hash of its cookie. */
export interface SessionsTable {
  id_hash: string;
  name: string;
  alone: number;
  since_ms: number;
  until_ms: number;
  proved_ms: number | null;
}

/** The in-flight row of a movie service. */
export interface ServicesTable {
  service_no: Generated<number>;
  name: string;
  base_url: string;
  rehearsal: number;
  in_flight: Generated<number>;
  max_in_flight: number | null;
  /** The service asked for no create before this. */
  not_before_ms: Generated<number>;
  /** Where orders keep to a rate: when the next one may leave, in microseconds since 1970. */
  next_order_us: Generated<number>;
}

/** Numbers the batches of a campaign name, whatever their service, so that a batch id says one thing. */
export interface CampaignsTable {
  campaign: string;
  last_number: number;
}

export interface LineagesTable {
  lineage_no: Generated<number>;
  service_no: number;
  campaign: string;
}

export interface BudgetsTable {
  /** 1: money of rehearsals, which no real one meets. */
  rehearsal: number;
  path: string;
  currency: string;
  limit_minor: number;
  committed_minor: Generated<number>;
  spent_minor: Generated<number>;
  overrun_minor: Generated<number>;
  notify_percent: number | null;
  notified_ms: number | null;
  stopped_ms: number | null;
}

export interface BatchesTable {
  batch_id: string;
  lineage_no: number;
  service_no: number;
  number: number;
  state: BatchState;
  /** Grows with every change under the batch's lock. */
  revision: Generated<number>;
  settings: string;
  budget_path: string;
  /** Of its service. */
  rehearsal: Generated<number>;
  currency: string;
  manifest_name: string;
  manifest_columns: string;
  briefs_digest: string;
  rows_in_sheet: Generated<number>;
  rows_to_order: Generated<number>;
  submitted_by: string;
  submitted_ms: number;
  /** Estimates from before this are asked again. */
  estimates_after_ms: Generated<number>;
  assumptions: Generated<string>;
  plan_digest: string | null;
  policy_version: number | null;
  total_minor: number | null;
  credits: number | null;
  runtime_seconds: number | null;
  sealed_ms: number | null;
  expires_ms: number | null;
  state_reason: string | null;
  approved_minor: Generated<number>;
  held_minor: Generated<number>;
  posted_minor: Generated<number>;
  refunded_minor: Generated<number>;
  returned_minor: Generated<number>;
  overrun_minor: Generated<number>;
  in_flight: Generated<number>;
  max_in_flight: number | null;
  /** Rows that may still be admitted before somebody says go on; null without a canary. */
  canary_left: number | null;
  failed_rows: Generated<number>;
  /** More failed rows than this trip the batch; null without a tolerance. */
  trips_above: number | null;
  /** Stops of this batch by kind (JSON); `{}` admits rows. */
  stops: Generated<string>;
  canceled_ms: number | null;
  settled_ms: number | null;
  /** The revision that its reports in the archive show; null before the first ones. */
  reported_revision: number | null;
}

/** What the rows of a plan come to, as they were when it was sealed. */
export interface PlanFiguresTable {
  batch_id: string;
  /** Figures of another sealing than the batch's last one say nothing. */
  sealed_ms: number;
  /** Its classes with their rows and money (JSON). */
  sums: string;
  /** Its dearest rows (JSON). */
  dearest: string;
}

/** The one decision on a batch. */
export interface DecisionsTable {
  batch_id: string;
  kind: 'approved' | 'rejected';
  by_name: string;
  channel: string;
  at_ms: number;
  reason: string | null;
  self_approved: number;
  plan_digest: string;
  total_minor: number;
  currency: string;
  policy_version: number;
}

export interface RowsTable {
  batch_id: string;
  /** From 0, dense, in the order of the sheet. */
  position: number;
  row_key: string;
  lineage_no: number;
  sheet_row: number;
  content_digest: string;
  brief: string;
  cells: string;
  /** Of the sheet's column of that name; null without it, and in batches of before it was kept. */
  market: string | null;
  class: RowClass;
  class_of: string | null;
  ordered: number;
  state: RowState;
  /** 1 from the approval to the row's end: at most one such row for a key in its lineage. */
  open: Generated<number>;
  amount_minor: number | null;
  credits: number | null;
  runtime_seconds: number | null;
  estimated_ms: number | null;
  estimate_problem: string | null;
  slice: number | null;
  attempt: number | null;
  movie_id: string | null;
  /** Sends of the attempt that were not proved to have created nothing; more than 0: a movie may exist. */
  uncertain_sends: Generated<number>;
  /** 1: a person allowed one more send although a movie may exist; 2: that send is admitted. */
  resend: Generated<number>;
  next_send_ms: Generated<number>;
  first_sent_ms: number | null;
  ordered_ms: number | null;
  deadline_ms: number | null;
  /** When the follower looks next; null when nobody follows. */
  follow_ms: number | null;
  /** When it was seen running for the last time. */
  looked_ms: number | null;
  polls: Generated<number>;
  service_status: string | null;
  percent: number | null;
  stage: string | null;
  blocked_reason: string | null;
  blocked_ms: number | null;
  cancel_ms: number | null;
  cancel_sent_ms: number | null;
  finished_ms: number | null;
  ended_ms: number | null;
  /** Place among the ends of its slice. */
  end_number: number | null;
  reason: string | null;
  verdict: string | null;
  alarm: string | null;
  /** Since when it says so; holds only while it does. */
  alarm_ms: number | null;
}

type TextOf<Table> = { [Name in keyof Table]: Table[Name] extends string | null ? Name : never }[keyof Table];

const textColumnsOfRows: Readonly<Record<TextOf<RowsTable>, true>> = {
  ...{ batch_id: true, row_key: true, content_digest: true, brief: true, cells: true, class: true, class_of: true },
  ...{ state: true, estimate_problem: true, movie_id: true, service_status: true, stage: true, blocked_reason: true },
  ...{ market: true, reason: true, verdict: true, alarm: true },
};

export function rowColumnKind(column: keyof RowsTable): ColumnKind {
  return column in textColumnsOfRows ? 'text' : 'int';
}

export interface SlicesTable {
  batch_id: string;
  slice: number;
  first_position: number;
  last_position: number;
  last_end: Generated<number>;
  wake_ms: Generated<number>;
}

/** How long the movies of a batch took against their estimates. */
export interface RunTimesTable {
  batch_id: string;
  service_no: number;
  /** The newest ends, first the newest (JSON of `RunTime`). */
  ends: string;
  at_ms: number;
}

/** One numbered attempt to have a movie made: what was sent, and what became of its hold. */
export interface OrdersTable {
  lineage_no: number;
  row_key: string;
  attempt: number;
  service_no: number;
  batch_id: string;
  content_digest: string;
  idempotency_key: string;
  request_body: string;
  amount_minor: number;
  money: 'held' | 'posted' | 'released';
  movie_id: string | null;
}

/** One POST that was allowed to leave. */
export interface SendsTable {
  send_id: Generated<number>;
  lineage_no: number;
  row_key: string;
  attempt: number;
  batch_id: string;
  at_ms: number;
  answered_ms: number | null;
  answer: string | null;
  request_id: string | null;
}

export type EntryKind = 'commit' | 'hold' | 'post' | 'release' | 'uncommit' | 'refund' | 'correction';

/** Money, append-only; every counter can be rebuilt from here. */
export interface EntriesTable {
  entry_id: Generated<number>;
  at_ms: number;
  kind: EntryKind;
  batch_id: string;
  row_key: string | null;
  attempt: number | null;
  amount_minor: number;
  /** The part of a correction that goes beyond what was posted. */
  overrun_minor: Generated<number>;
  currency: string;
  note: string | null;
  /** From 1, in the order in which the entries of its batch were made. */
  batch_seq: number;
  /** Covers this entry and the hash of the one before it in its batch. */
  hash: string;
}

/** A provider's invoice that was read; append-only, as its lines. */
export interface InvoicesTable {
  invoice_no: Generated<number>;
  service_no: number;
  /** Its own number, or the name of the file where it has none. */
  number: string;
  /** 1: the number is the invoice's own. */
  numbered: number;
  /** Over its lines, whatever their order. */
  sha256: string;
  read_ms: number;
  read_by: string;
}

export interface InvoiceLinesTable {
  invoice_no: number;
  /** From 1. */
  line: number;
  service_no: number;
  movie_id: string | null;
  idempotency_key: string | null;
  amount_minor: number;
  currency: string;
  description: string | null;
}

export interface FilesTable {
  batch_id: string;
  row_key: string;
  asset_id: string;
  type: string;
  path: string;
  size_bytes: number;
  sha256: string;
}

export interface UploadsTable {
  service_no: number;
  sha256: string;
  reference_id: string;
  mime_type: string | null;
  uploaded_ms: number;
}

/** What one person says became of an unknown order, until a second one says the same. */
export interface ProposalsTable {
  batch_id: string;
  row_key: string;
  resolution: string;
  by_name: string;
  at_ms: number;
}

/** What people are to hear of; written in the transaction of the change, and dropped a month after. */
export interface NoticesTable {
  notice_no: Generated<number>;
  at_ms: number;
  kind: string;
  /** A batch, or a budget path. */
  object: string;
  by_name: string;
  detail: string;
}

/** How far a channel has come, and whether its other end takes anything. */
export interface NoticeChannelsTable {
  channel: string;
  /** Notices up to this one are in `notice_messages`, or are from before the channel was set up. */
  after_no: number;
  /** Until then one worker sends on it. */
  lease_ms: Generated<number>;
  not_before_ms: Generated<number>;
  /** Failed ones, since the last that was taken. */
  tries: Generated<number>;
  failing_ms: number | null;
  error: string | null;
  /** It took nothing for so long that it is not tried any more, until somebody turns it on. */
  off_ms: Generated<number | null>;
}

/** What was told once although nothing changed: of which moment. */
export interface NoticeRemindersTable {
  kind: string;
  object: string;
  due_ms: number;
}

/** One notice on one channel. */
export interface NoticeMessagesTable {
  channel: string;
  notice_no: number;
  kind: string;
  object: string;
  /** The first notice of the message that it is part of; fixed before the first try, so that each try is the same. */
  message_no: number | null;
  sent_ms: number | null;
}

/** What was last said of a delivered movie, in the batch that delivered it; the audit has what was said before. */
export interface ReviewsTable {
  batch_id: string;
  row_key: string;
  verdict: 'ok' | 'redo';
  note: string | null;
  /** A person, or a guest by the name that they gave. */
  by_name: string;
  at_ms: number;
}

/** Links that open the gallery of one batch, and nothing else, to whoever has them. */
export interface ShareLinksTable {
  /** Names the link where the token must not be known. */
  link_id: string;
  token_hash: string;
  batch_id: string;
  by_name: string;
  at_ms: number;
  until_ms: number;
  revoked_ms: number | null;
}

export interface AuditTable {
  seq: number;
  at_ms: number;
  actor: string;
  channel: string;
  act: string;
  object: string;
  detail: string;
  /** The last entry and the last send that were in the books when this happened. */
  after_entry: number;
  after_send: number;
  previous_hash: string;
  hash: string;
}

/** Batches that are over and whose briefs, requests, sends and lists of files are in a file of the archive. */
export interface ArchivedBatchesTable {
  batch_id: string;
  /** Within the archive. */
  path: string;
  sha256: string;
  size_bytes: number;
  /** Lines of each table in the file. */
  rows: number;
  orders: number;
  sends: number;
  files: number;
  /** The greatest number of its sends. */
  last_send: number;
  at_ms: number;
}

/** Movies that an archive has and that no order of this ledger names: it was restored from a copy, or is another one. */
export interface RecoveredMoviesTable {
  service_no: number;
  movie_id: string;
  content_digest: string;
  /** Where it lies in the archive. */
  batch_id: string;
  row_key: string;
  at_ms: number;
}
