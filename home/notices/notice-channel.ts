/** A message as every channel gets it. */
export interface NoticeMessage {
  /** The same at each attempt, so that a receiver can drop duplicates. */
  readonly id: string;
  readonly kind: string;
  /** A batch or a budget path: the subject of one thread. */
  readonly about: string;
  /** The time of the first notice in it. */
  readonly atMs: number;
  readonly subject: string;
  readonly lines: readonly string[];
  /** Where the desk shows more; null if other machines cannot reach it. */
  readonly url: string | null;
  /** Whom it is for: roles, and `submitter` for the submitter of the batch. */
  readonly roles: readonly string[];
  /** Mail addresses of those people, if they are registered under them. */
  readonly to: readonly string[];
}

export type Delivery =
  | { readonly kind: 'taken' }
  /** Not now: retry after `afterMs` at the earliest, if the receiver states a time. */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs: number | null; readonly isGone?: boolean };

export interface NoticeChannel {
  readonly name: string;
  /** An address of another system, which is turned off once it has accepted nothing for a day. */
  readonly isEndpoint: boolean;
  /** Never throws: the result says what went wrong. */
  send(message: NoticeMessage): Promise<Delivery>;
  close(): void;
}
