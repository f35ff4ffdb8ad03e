import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTracing } from '../../telemetry/tracing.js';
import { startCollector } from './collector.js';

let collector: Awaited<ReturnType<typeof startCollector>>;
const before = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
beforeEach(async () => {
  collector = await startCollector();
  Object.assign(process.env, collector.env); // the exporter reads it there
});
afterEach(async () => {
  if (before === undefined) delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  else process.env.OTEL_EXPORTER_OTLP_ENDPOINT = before;
  await collector.close();
});

test('without an endpoint there are no traces, and nothing is loaded for them', async () => {
  expect(await openTracing({}, 'ledger')).toBeNull();
  expect(await openTracing({ ...collector.env, OTEL_SDK_DISABLED: 'true' }, 'ledger')).toBeNull();
});

test('what different processes do for one batch is one trace below its submission', async () => {
  const [submitter, worker] = [await openTracing(collector.env, 'one'), await openTracing(collector.env, 'one')];
  const batchId = 'spring-1';
  await submitter?.span('submit', { batchId, first: true }, async () => undefined);
  await worker?.span('order', { batchId, attributes: { 'greenlight.rows': ['a'] } }, async () => undefined);
  worker?.moment('delivered', { batchId, attributes: { 'greenlight.row': 'a' } });
  worker?.moment('delivered', { batchId: 'spring-2' });
  await submitter?.close();
  await worker?.close();
  const [submit] = collector.spans.filter(({ name }) => name === 'submit');
  expect(submit?.parentSpanId ?? '').toBe('');
  const of = collector.spans.filter(({ traceId }) => traceId === submit?.traceId);
  expect(of.map(({ name }) => name).sort()).toEqual(['delivered', 'order', 'submit']);
  for (const span of of) if (span !== submit) expect(span.parentSpanId).toBe(submit?.spanId);
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(4);
  expect(of.find(({ name }) => name === 'delivered')?.attributes).toEqual({
    'greenlight.batch': 'spring-1',
    'greenlight.row': 'a',
  });
});

test('an error is on its span, and a wait is none; other ledgers have other traces', async () => {
  const tracing = await openTracing(collector.env, 'one');
  const other = await openTracing(collector.env, 'two');
  const of = { batchId: 'spring-1' };
  const waits = Object.assign(new Error('not ready'), { category: 'BENIGN' });
  await expect(tracing?.span('gate', of, () => Promise.reject(waits))).rejects.toBe(waits);
  await expect(tracing?.span('order', of, () => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke');
  other?.moment('delivered', of);
  await tracing?.close();
  await other?.close();
  const errors = collector.spans.map(({ name, error }) => [name, error]);
  expect(Object.fromEntries(errors)).toEqual({ gate: '', order: 'it broke', delivered: '' });
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2);
});

test('a collector that is away stops nobody', async () => {
  await collector.close();
  const tracing = await openTracing(collector.env, 'one');
  tracing?.moment('delivered', { batchId: 'spring-1' });
  await tracing?.close();
  collector = await startCollector();
});
