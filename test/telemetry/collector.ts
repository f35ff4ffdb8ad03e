import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of its status; empty where it went well. */
  readonly error: string;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
        readonly status: { readonly message?: string };
      }[];
    }[];
  }[];
}

/** Takes traces as OpenTelemetry sends them (OTLP, JSON over HTTP). */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { resourceSpans } = JSON.parse(body) as Sent;
      const sent = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
      for (const { name, traceId, spanId, parentSpanId, attributes, status } of sent) {
        const values = attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
        const error = status.message ?? '';
        spans.push({ name, traceId, spanId, parentSpanId, attributes: Object.fromEntries(values), error });
      }
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    spans,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
