/** A service under test: anything that answers requests. */
export interface Service {
  /** Ends in the version segment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A key of another account, which must see nothing of the first one's; without it, that is not tested. */
  readonly otherKey?: string;
  /** Where its events can be received; without it, they are not tested. */
  readonly events?: EventReceiver;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A callback address, and the bodies of all that was sent there so far. */
export interface EventReceiver {
  readonly url: string;
  readonly received: readonly string[];
}
