/** A message as every channel gets it. */
export interface NoticeMessage {
  /** The same at each try, so that a receiver that remembers takes it once. */
  readonly id: string;
  readonly kind: string;
  /** A batch, or a budget path: what the messages of one thread are about. */
  readonly about: string;
  /** Of the first notice in it. */
  readonly atMs: number;
  readonly subject: string;
  readonly lines: readonly string[];
  /** Where the desk shows more; null where it has no address for others. */
  readonly url: string | null;
  /** Whose it is: roles, and `submitter` for who submitted the batch. */
  readonly roles: readonly string[];
  /** Mail addresses of those people, where they are registered by them. */
  readonly to: readonly string[];
}

export type Told =
  | { readonly kind: 'taken' }
  /** Not now: after that time at the earliest, where the other end names one. */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs: number | null; readonly isGone?: boolean };

export interface NoticeChannel {
  readonly name: string;
  /** An address of others, which is turned off once it took nothing for a day. */
  readonly isEndpoint: boolean;
  /** Never throws: what went wrong is told. */
  send(message: NoticeMessage): Promise<Told>;
  close(): void;
}
