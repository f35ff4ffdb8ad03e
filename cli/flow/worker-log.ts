import {
  type EventKind,
  eventJson,
  eventLine,
  type OnEvent,
  type WorkEvent,
} from '../../reports/wording/work-event.js';

export type LogMode = 'text' | 'json' | 'quiet';

export interface WorkerLog {
  readonly onEvent: OnEvent;
  /** Says what was folded so far. */
  flush(): void;
}

/** Said one by one up to so many in a second; more of a kind are counted. */
const oneByOne = 20;
const windowMs = 1_000;

/**
 * What a worker does, a line an event. As text, the same wait of a batch is said once until something of it goes on, and
 * what comes too fast to be read is counted; as JSON every event is a line.
 *
 * @param print one line, without its end
 */
export function createWorkerLog(mode: LogMode, print: (line: string) => void): WorkerLog {
  if (mode === 'quiet') return { onEvent: () => undefined, flush: () => undefined };
  if (mode === 'json') {
    return { onEvent: (event) => print(JSON.stringify(eventJson(event))), flush: () => undefined };
  }
  const waits = new Map<string, string>();
  let windowStartMs = Number.NEGATIVE_INFINITY;
  let counts = new Map<EventKind, number>();
  let last: WorkEvent | undefined;
  const flush = () => {
    for (const [kind, count] of counts) {
      const more = count - oneByOne;
      if (more > 0 && last) print(eventLine({ ...last, rowKey: null, kind, detail: `and ${more} rows more` }));
    }
    counts = new Map();
  };
  return {
    flush,
    onEvent(event) {
      const { atMs, kind, batchId, detail } = event;
      if (kind === 'finished') return; // it is delivered or lost within moments
      if (kind === 'waits') {
        if (waits.get(batchId) === detail) return;
        waits.set(batchId, detail);
      } else if (kind === 'ordered' || kind === 'delivered') waits.delete(batchId);
      if (atMs - windowStartMs >= windowMs) {
        flush();
        windowStartMs = atMs;
      }
      last = event;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count <= oneByOne) print(eventLine(event));
    },
  };
}
