export interface MarkKeeper {
  /** Resolves when the archive's mark is at most a moment old; rejects when it cannot be written. */
  beforeSend(): Promise<void>;
  /** Writes a pending mark, if possible. */
  stop(): Promise<void>;
}

/** Shortest time between two marks: the first order after a quiet moment waits for its mark, later ones do not. */
const everyMs = 1_000;

/**
 * Keeps an archive's mark up to date with the ledger. A restored backup that is older than the last mark is detected;
 * only one that was taken within a second of the loss of its ledger is not.
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
      // A failure here is retried before the next order.
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
        // Another worker may have read before this one and write after it: the last write covers both.
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
