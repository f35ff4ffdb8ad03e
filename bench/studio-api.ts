/** How fast the studio takes orders, and how calmly it answers while it renders. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { cpuMsOf } from './measured-process.js';
import { line } from './report.js';

const headers = { authorization: 'Bearer bench-key-of-the-studio', 'content-type': 'application/json' };
const brief = { prompt: 'A lighthouse at dusk. Gulls circle above it while the lamp is lit. A boat comes home.' };

export async function benchStudioApi(): Promise<void> {
  await withStudio('stub', benchCreates);
  await withStudio('film', benchReadsWhileRendering);
}

async function withStudio(render: 'film' | 'stub', bench: (url: string, pid: number) => Promise<void>): Promise<void> {
  const path = fileURLToPath(new URL('studio-api-process.ts', import.meta.url));
  const studio: ChildProcess = fork(path, [render], { execArgv: ['--import', import.meta.resolve('tsx')] });
  try {
    const [url] = (await once(studio, 'message')) as [string];
    await bench(url, studio.pid ?? 0);
  } finally {
    studio.kill('SIGTERM');
    await once(studio, 'exit');
  }
}

/** Each create has its own key and is on disk before it is answered. */
async function benchCreates(url: string, pid: number): Promise<void> {
  let serial = 0;
  const before = cpuMsOf(pid);
  const result = await autocannon({
    url: `${url}/movies`,
    method: 'POST',
    connections: 64,
    duration: 10,
    requests: [
      {
        body: JSON.stringify(brief),
        setupRequest(request) {
          serial += 1;
          return { ...request, headers: { ...headers, 'idempotency-key': `bench-order-${serial}` } };
        },
      },
    ],
  });
  const cpuSeconds = (cpuMsOf(pid) - before) / 1000;
  const created = result['2xx'];
  print('creates, each durable', [
    `${Math.round(created / result.duration)} a second`,
    `${Math.round(created / cpuSeconds)} a second of CPU`,
    `p99 ${result.latency.p99} ms`,
    `${result.non2xx + result.errors} refused or lost`,
  ]);
}

async function benchReadsWhileRendering(url: string): Promise<void> {
  const body = JSON.stringify({ ...brief, duration_seconds: 120 });
  const created = await fetch(`${url}/movies`, { method: 'POST', headers, body });
  const { id } = (await created.json()) as { id: string };
  const movie = async () => (await (await fetch(`${url}/movies/${id}`, { headers })).json()) as { status: string };
  while ((await movie()).status !== 'rendering') await new Promise((resolve) => setTimeout(resolve, 100));
  const result = await autocannon({
    url: `${url}/movies/${id}`,
    headers,
    connections: 4,
    overallRate: 200,
    duration: 10,
  });
  print(`reads while a film is rendered (it is ${(await movie()).status})`, [
    `${Math.round(result['2xx'] / result.duration)} a second`,
    `p50 ${result.latency.p50} ms`,
    `p99 ${result.latency.p99} ms`,
    `${result.non2xx + result.errors} refused or lost`,
  ]);
}

function print(what: string, figures: readonly string[]): void {
  line(`${what}: ${figures.join(', ')}`);
}
