export interface MarkKeeper {
  /** Resolves when the archive knows of the orders before a moment ago; rejects when it cannot be written. */
  beforeSend(): Promise<void>;
  /** Writes what is still to be written, where that can be done. */
  stop(): Promise<void>;
}

/** Marks are written at most so often: the first order after a quiet moment waits for its mark, later ones do not. */
const everyMs = 1_000;

/**
 * Keeps an archive's mark up with the ledger. A backup that is older than the last mark is found out when it is
 * restored; so only one that was taken within a second of the loss of its ledger is not.
 *
 * @param write writes how far the ledger is now
 */
export function createMarkKeeper(write: () => Promise<void>): MarkKeeper {
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lastAtMs = Number.NEGATIVE_INFINITY;

  function writeNow(): Promise<void> {
    lastAtMs = performance.now();
    writing = write().finally(() => {
      writing = null;
    });
    return writing;
  }

  function writeLater(inMs: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      // What fails here is tried again before the next order.
      void writeNow().catch(() => {
        lastAtMs = Number.NEGATIVE_INFINITY;
      });
    }, inMs);
  }

  return {
    async beforeSend() {
      const waitMs = lastAtMs + everyMs - performance.now();
      if (waitMs > 0) {
        writeLater(waitMs);
        return writing ?? undefined;
      }
      try {
        await writeNow();
        // Another worker may have read before this one, and write after it: the last word has both.
        writeLater(everyMs);
      } catch (error) {
        lastAtMs = Number.NEGATIVE_INFINITY;
        throw error;
      }
    },
    async stop() {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      await writeNow().catch(() => undefined);
    },
  };
}
