/** What a row of a sheet means, given what its campaign has done before. Only some classes are ordered. */
export const rowClasses = [
  'new',
  'unchanged',
  'open',
  'open_changed',
  'failed_before',
  'redo',
  'respend',
  'duplicate',
  'unknown',
] as const;
export type RowClass = (typeof rowClasses)[number];

/** Ends of an earlier movie that a person may ask to have made again. */
export const retryable = ['failed', 'canceled', 'lost'] as const;

/** What a person may ask for beside what is new: movies that ended so, and delivered ones that a review wants again. */
export const includable = [...retryable, 'redo'] as const;
export type Includable = (typeof includable)[number];

/** One earlier order of the row's key in its lineage. An order whose hold was released spent nothing and is left out. */
export interface PaidAttempt {
  readonly attempt: number;
  readonly batchId: string;
  readonly contentDigest: string;
  readonly state: string;
  /** A review wants the delivered movie made again. */
  readonly redo?: boolean;
}

/** Everything in the books that decides on one row key. */
export interface RowHistory {
  /** In the order of their numbers. */
  readonly paid: readonly PaidAttempt[];
  /** The row of another batch that holds this key at the moment. */
  readonly open: { readonly batchId: string; readonly contentDigest: string; readonly state: string } | null;
  /**
   * The same content under another key or in another campaign of the service: paid, or `open` in another batch. Or a
   * `recovered` movie of it, under any key: the archive has it from before the ledger was restored.
   */
  readonly elsewhere: {
    readonly batchId: string;
    readonly rowKey: string;
    readonly state?: 'open' | 'recovered';
  } | null;
}

export interface ClassRules {
  readonly include: readonly Includable[];
  readonly respend: boolean;
  readonly allowDuplicates: boolean;
}

export interface Classified {
  readonly class: RowClass;
  readonly ordered: boolean;
  /** The batch that the class speaks of, and there the key and state. */
  readonly of: { readonly batchId: string; readonly rowKey?: string; readonly state?: string } | null;
}

/**
 * The class table, read from the top: the first line that fits decides.
 *
 * | history of the key | content | class | ordered |
 * |---|---|---|---|
 * | an order whose outcome is unknown | any | `unknown` | no, until it is resolved |
 * | open in another batch | same | `open` | there, not here |
 * | open in another batch | other | `open_changed` | no, until that row ends |
 * | delivered | one of the delivered | `unchanged`, but for `redo` | no |
 * | any other | recovered: in the archive, and not in the books | `duplicate` | if allowed |
 * | delivered last, marked redo by a review, and `redo` is included | same | `redo` | yes |
 * | failed, canceled or lost, and paid | same | `failed_before` | if its state is included |
 * | paid | other | `respend` | if asked for |
 * | nothing paid | paid or open under another key or campaign | `duplicate` | if allowed |
 * | nothing paid | any | `new` | yes |
 */
export function classifyRow(contentDigest: string, history: RowHistory, rules: ClassRules): Classified {
  const { paid, open, elsewhere } = history;
  const same = paid.filter((attempt) => attempt.contentDigest === contentDigest);

  const unknown = paid.find(({ state }) => state === 'unknown');
  if (unknown) return { class: 'unknown', ordered: false, of: { batchId: unknown.batchId } };

  if (open) {
    const of = { batchId: open.batchId, state: open.state };
    return { class: open.contentDigest === contentDigest ? 'open' : 'open_changed', ordered: false, of };
  }

  const again = rules.include.includes('redo');
  const delivered = same.find(({ state, redo }) => state === 'delivered' && !(redo && again));
  if (delivered) return { class: 'unchanged', ordered: false, of: { batchId: delivered.batchId } };

  if (elsewhere?.state === 'recovered') {
    return { class: 'duplicate', ordered: rules.allowDuplicates, of: elsewhere };
  }

  const last = same.at(-1);
  if (last) {
    const of = { batchId: last.batchId, state: last.state };
    if (last.state === 'delivered') return { class: 'redo', ordered: true, of };
    return { class: 'failed_before', ordered: (rules.include as readonly string[]).includes(last.state), of };
  }

  const other = paid.at(-1);
  if (other) return { class: 'respend', ordered: rules.respend, of: { batchId: other.batchId, state: other.state } };

  if (elsewhere) return { class: 'duplicate', ordered: rules.allowDuplicates, of: elsewhere };
  return { class: 'new', ordered: true, of: null };
}
