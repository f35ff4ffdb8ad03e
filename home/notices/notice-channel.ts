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
}

export type Told =
  | { readonly kind: 'taken' }
  /** Not now: after that time at the earliest, where the other end names one. */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs: number | null };

export interface NoticeChannel {
  readonly name: string;
  /** Never throws: what went wrong is told. */
  send(message: NoticeMessage): Promise<Told>;
  close(): void;
}
