import { createHash } from 'node:crypto';
import type { Attributes, Context, SpanContext } from '@opentelemetry/api';

/** A batch's work in OpenTelemetry: one trace per batch, over all processes and days. */
export interface Tracing {
  /** Runs `work` as one span of a batch; an error that only means waiting does not count as one. */
  span<T>(name: string, of: SpanOf, work: () => Promise<T>): Promise<T>;
  /** Records an event at one moment. */
  moment(name: string, of: SpanOf): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

export interface SpanOf {
  readonly batchId: string;
  readonly attributes?: Attributes;
  /** The batch's first span, the parent of all others: its submission. */
  readonly first?: boolean;
}

/** A command that ends waits no longer than this for an unavailable collector. */
const patienceMs = 2_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens traces if `OTEL_EXPORTER_OTLP_ENDPOINT` (or `…_TRACES_ENDPOINT`) is set; else nothing is loaded. Every process
 * derives a batch's trace from the ids of ledger and batch: nothing has to be passed on.
 */
export async function openTracing(env: Environment, ledgerId: string): Promise<Tracing | null> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  if (endpoint === '' || env.OTEL_SDK_DISABLED === 'true') return null;
  const [
    { ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace },
    { BasicTracerProvider, BatchSpanProcessor },
    resources,
    exporter,
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const timeoutMillis = Number(env.OTEL_EXPORTER_OTLP_TIMEOUT ?? patienceMs);
  const ids = new NextIds();
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    resource: resources.resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME ?? 'greenlight' }),
    spanProcessors: [new BatchSpanProcessor(new exporter.OTLPTraceExporter({ timeoutMillis }))],
  });
  const tracer = provider.getTracer('greenlight');
  const rootOf = (batchId: string): SpanContext => ({
    ...{ ...idsOf(ledgerId, batchId), traceFlags: TraceFlags.SAMPLED, isRemote: true },
  });
  const below = (batchId: string): Context => trace.setSpanContext(ROOT_CONTEXT, rootOf(batchId));

  function start(name: string, { batchId, attributes = {}, first = false }: SpanOf) {
    const all = { attributes: { 'greenlight.batch': batchId, ...attributes } };
    if (!first) return tracer.startSpan(name, all, below(batchId));
    ids.give(rootOf(batchId));
    return tracer.startSpan(name, { ...all, root: true }, ROOT_CONTEXT);
  }

  return {
    async span(name, of, work) {
      const span = start(name, of);
      try {
        return await work();
      } catch (error) {
        if (!isWait(error)) span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
        throw error;
      } finally {
        span.end();
      }
    },
    moment: (name, of) => start(name, of).end(),
    // An unavailable collector is not a reason to fail, or to stay.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** An attempt of an activity that ends to be started again later. */
function isWait(error: unknown): boolean {
  return (error as { readonly category?: unknown }).category === 'BENIGN';
}

function idsOf(ledgerId: string, batchId: string): Ids {
  const hash = createHash('sha256')
    .update(JSON.stringify([ledgerId, batchId]))
    .digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

interface Ids {
  readonly traceId: string;
  readonly spanId: string;
}

/** Random ids, except for a next span whose ids are given. */
class NextIds {
  #traceId: string | null = null;
  #spanId: string | null = null;

  give({ traceId, spanId }: Ids): void {
    this.#traceId = traceId;
    this.#spanId = spanId;
  }

  generateTraceId = (): string => {
    const given = this.#traceId;
    this.#traceId = null;
    return given ?? randomHex(16);
  };

  generateSpanId = (): string => {
    const given = this.#spanId;
    this.#spanId = null;
    return given ?? randomHex(8);
  };
}

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
}
