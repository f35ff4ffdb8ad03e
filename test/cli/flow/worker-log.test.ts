import { expect, test } from 'vitest';
import { createWorkerLog } from '../../../cli/flow/worker-log.js';
import type { LogSettings } from '../../../home/health/health-settings.js';
import type { WorkEvent } from '../../../reports/wording/work-event.js';

const event = (over: Partial<WorkEvent>): WorkEvent => ({
  ...{ atMs: Date.UTC(2026, 10, 28), kind: 'ordered', batchId: 'spring-1', rowKey: 'ep-01', detail: '' },
  ...over,
});

function open(settings: LogSettings) {
  const lines: string[] = [];
  const notes: string[] = [];
  const log = createWorkerLog(settings, {
    print: (line) => lines.push(line),
    say: (line) => notes.push(line),
    clock: () => Date.UTC(2026, 10, 28),
  });
  return { log, lines, notes };
}

function said(form: LogSettings['form'], events: readonly WorkEvent[]): readonly string[] {
  const { log, lines } = open({ form, level: 'info' });
  for (const one of events) log.onEvent(one);
  log.flush();
  return lines.map((line) => line.replace(/^2026-\S+ /, ''));
}

test('each thing that a person wants to hear is a line', () => {
  expect(
    said('text', [
      event({ detail: 'accepted as movie_1' }),
      event({ kind: 'finished' }),
      event({ kind: 'delivered', detail: 'as ordered, 4 files' }),
      event({ kind: 'failed', rowKey: 'ep-02', detail: 'moderation\u001b[31m' }),
    ]),
  ).toEqual([
    'spring-1 ep-01 ordered: accepted as movie_1',
    'spring-1 ep-01 delivered: as ordered, 4 files',
    'spring-1 ep-02 failed: moderation [31m',
  ]);
});

test('the same wait is said once, and again after something went on', () => {
  const wait = event({ kind: 'waits', detail: 'the service cannot be reached' });
  expect(said('text', [wait, { ...wait, rowKey: 'ep-02' }, event({}), wait])).toHaveLength(3);
});

test('what comes too fast to be read is counted', () => {
  const lines = said(
    'text',
    Array.from({ length: 50 }, (_, index) => event({ rowKey: `ep-${index}` })),
  );
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('spring-1 ordered: and 30 rows more');
});

test('as JSON every event is a document of its own; quiet says nothing', () => {
  const wait = event({ kind: 'waits', detail: 'x' });
  expect(said('json', [wait, wait]).map((line) => JSON.parse(line))).toEqual([
    { level: 'warn', at: '2026-11-28T00:00:00.000Z', event: 'waits', batch: 'spring-1', id: 'ep-01', detail: 'x' },
    { level: 'warn', at: '2026-11-28T00:00:00.000Z', event: 'waits', batch: 'spring-1', id: 'ep-01', detail: 'x' },
  ]);
  expect(said('quiet', [wait])).toEqual([]);
});

test('as JSON an order has its attempt and the number of its request, and what is said beside is in the log too', () => {
  const { log, lines, notes } = open({ form: 'json', level: 'info' });
  log.onEvent(event({ attempt: 2, requestId: 'req_7' }));
  log.say('Working: movies by studio');
  log.problem('Temporal: it broke');
  const at = '2026-11-28T00:00:00.000Z';
  const order = { event: 'ordered', batch: 'spring-1', id: 'ep-01', attempt: 2, request_id: 'req_7', detail: null };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'info', at, ...order },
    { level: 'info', at, msg: 'Working: movies by studio' },
    { level: 'error', at, msg: 'Temporal: it broke' },
  ]);
  expect(notes).toEqual([]);
});

test('a JSON log has no line below its level; as text, what is said beside is for people', () => {
  const { log, lines } = open({ form: 'json', level: 'error' });
  for (const kind of ['ordered', 'waits', 'failed', 'lost', 'unknown'] as const) log.onEvent(event({ kind }));
  expect(lines.map((line) => (JSON.parse(line) as { readonly event: string }).event)).toEqual(['lost', 'unknown']);
  const text = open({ form: 'quiet', level: 'info' });
  text.log.onEvent(event({}));
  text.log.say('Working');
  expect([text.lines, text.notes]).toEqual([[], ['Working']]);
});
