import type { LogSettings } from '../../home/health/health-settings.js';
import {
  type EventKind,
  eventJson,
  eventLine,
  type OnEvent,
  type WorkEvent,
} from '../../reports/wording/work-event.js';
import { createJsonLog, type LogLevel } from '../../telemetry/json-log.js';

export interface WorkerLog {
  readonly onEvent: OnEvent;
  /** A line for whoever runs the worker: that it waits for a part, that it works. */
  say(words: string): void;
  /** Something went wrong in the machinery itself. */
  problem(words: string): void;
  /** Says what was folded so far. */
  flush(): void;
}

/** Said one by one up to so many in a second; more of a kind are counted. */
const oneByOne = 20;
const windowMs = 1_000;

export interface LogOutput {
  /** One line of what happens, without its end. */
  readonly print: (line: string) => void;
  /** One line for whoever runs the worker; a JSON log has these too. */
  readonly say: (line: string) => void;
  readonly clock?: () => number;
}

/**
 * What a worker does, a line an event. As text, the same wait of a batch is said once until something of it goes on, and
 * what comes too fast to be read is counted; as JSON every event is a line, and so is what is said beside.
 */
export function createWorkerLog({ form, level }: LogSettings, { print, say, clock = Date.now }: LogOutput): WorkerLog {
  if (form === 'json') {
    const log = createJsonLog(level, print);
    const at = () => ({ at: new Date(clock()).toISOString() });
    return {
      onEvent: (event) => log.write(levelOf(event.kind), eventJson(event)),
      say: (words) => log.write('info', at(), words),
      problem: (words) => log.write('error', at(), words),
      flush: () => undefined,
    };
  }
  const lines = form === 'quiet' ? { onEvent: () => undefined, flush: () => undefined } : textLines(print);
  return { ...lines, say, problem: say };
}

function levelOf(kind: EventKind): LogLevel {
  if (kind === 'unknown' || kind === 'lost') return 'error';
  return warned.has(kind) ? 'warn' : 'info';
}

const warned: ReadonlySet<EventKind> = new Set(['waits', 'failed', 'rejected', 'restarted']);

function textLines(print: LogOutput['print']): Pick<WorkerLog, 'onEvent' | 'flush'> {
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
