import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Movie } from '../../../api/contract.js';
import type { StudioOptions } from '../../../studio/studio.js';
import { createSend, type Send, type SendOptions } from '../../../studio/webhooks/dispatcher.js';
import { brief, codeOf, handClock, openStudio, temporaryFolder, until } from '../open-studio.js';

const hooked = { ...brief, webhook_url: 'https://example.com/hook' };

interface Event {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly data: Movie;
}

/** An endpoint that keeps what it is sent, and answers what it is told to. */
function endpoint(answers: readonly (number | Error)[] = []) {
  const sent: (SendOptions & { readonly url: string; readonly event: Event })[] = [];
  const send: Send = async (url, options) => {
    const answer = answers[sent.length] ?? 204;
    sent.push({ ...options, url, event: JSON.parse(options.body) });
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { sent, send, types: () => sent.map(({ event }) => event.type) };
}

async function open(options: Partial<StudioOptions> = {}, answers: readonly (number | Error)[] = []) {
  const { send, ...kept } = endpoint(answers);
  const clock = handClock();
  const opened = await openStudio({ clock, jobSeconds: 100, webhooks: { send }, ...options });
  return {
    ...opened,
    ...kept,
    clock,
    /** Moves the clock and lets what is due be sent. */
    async forward(seconds: number) {
      clock.forward(seconds);
      await opened.call('GET', '/movies/movie_nobody');
      for (let turn = 0; turn < 30; turn += 1) await setImmediate();
    },
  };
}

describe('a timed job', () => {
  test('tells each change of status when it happens, with the movie as it was then', async () => {
    const { create, forward, sent, types } = await open();
    const movie = await create(hooked);
    await forward(0);
    expect(types()).toEqual(['movie.queued']);
    await forward(60);
    expect(types()).toEqual(['movie.queued', 'movie.planning', 'movie.generating', 'movie.rendering']);
    await forward(1000);
    expect(types()).toEqual([
      'movie.queued',
      'movie.planning',
      'movie.generating',
      'movie.rendering',
      'movie.completed',
    ]);
    expect(sent.map(({ event }) => `movie.${Movie.parse(event.data).status}`)).toEqual(types());
    expect(new Set(sent.map(({ event }) => event.data.id))).toEqual(new Set([movie]));
    expect(sent.at(-1)?.event.created_at).toBe(sent.at(-1)?.event.data.updated_at);
  });

  test('that is canceled tells that, and nothing of the future that it had', async () => {
    const { create, call, forward, types } = await open();
    const movie = await create(hooked);
    await forward(20);
    await call('POST', `/movies/${movie}/cancel`);
    await forward(1000);
    expect(types()).toEqual(['movie.queued', 'movie.planning', 'movie.generating', 'movie.canceled']);
  });

  test('that fails tells why', async () => {
    const faults = { rules: [{ effect: 'fail', at: 'planning', code: 'moderation' } as const] };
    const { create, forward, sent, types } = await open({ faults });
    await create(hooked);
    await forward(1000);
    expect(types()).toEqual(['movie.queued', 'movie.failed']);
    expect(sent[1]?.event.data.error?.code).toBe('moderation');
  });

  test('without a callback address tells nobody', async () => {
    const { create, forward, sent } = await open();
    await create();
    await forward(1000);
    expect(sent).toEqual([]);
  });

  test('that is replayed tells everything once', async () => {
    const { create, forward, types } = await open();
    const headers = { 'idempotency-key': 'order-0001' };
    await create(hooked, { headers });
    await create(hooked, { headers });
    await forward(0);
    expect(types()).toEqual(['movie.queued']);
  });
});

test('a rendered movie tells each of its states', async () => {
  const { create, statusOf, types } = await open({ render: 'draft', clock: Date.now });
  const movie = await create(hooked);
  await until(async () => (await statusOf(movie)) === 'completed');
  await until(() => types().length === 5);
  expect(types()).toEqual(['movie.queued', 'movie.planning', 'movie.generating', 'movie.rendering', 'movie.completed']);
});

test('a rendered movie tells of its end although nobody asks for it any more', async () => {
  const { send, types } = endpoint();
  let finish: ((files: readonly []) => void) | undefined;
  const renderer = {
    renderFilm: () =>
      new Promise<readonly []>((resolve) => {
        finish = resolve;
      }),
    probeReference: () => Promise.reject(new Error('not asked')),
  };
  const { create } = await openStudio({ render: 'draft', renderer, webhooks: { send } });
  await create(hooked);
  // Its first event may leave before the renderer is asked.
  await until(() => types().length === 1 && finish !== undefined);
  finish?.([]);
  await until(() => types().length === 2);
  expect(types()).toEqual(['movie.queued', 'movie.completed']);
});

describe('a receiver that hangs', () => {
  /** Deliveries to slow.example never end. */
  function hanging() {
    const told: string[] = [];
    const send: Send = (url, { body, signal }) => {
      told.push(`${new URL(url).hostname} ${JSON.parse(body).type}`);
      if (!url.includes('slow')) return Promise.resolve(204);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    };
    return { send, told, to: (host: string) => told.filter((line) => line.startsWith(host)) };
  }

  test('holds up nobody else, however many events wait for it', async () => {
    const { send, to } = hanging();
    const { create } = await openStudio({ webhooks: { send } });
    for (let serial = 0; serial < 50; serial += 1) {
      await create({ ...brief, webhook_url: `https://slow.example/hook?${serial}` });
    }
    await create({ ...brief, webhook_url: 'https://fast.example' });
    await until(() => to('fast.example').length === 5, 5_000);
    expect(to('slow.example')).toHaveLength(8);
  });

  test('does not keep a later event of another one from its time', async () => {
    const { send, to } = hanging();
    const { create } = await openStudio({ jobSeconds: 0.2, webhooks: { send } });
    await create({ ...brief, webhook_url: 'https://slow.example/hook' });
    await create({ ...brief, webhook_url: 'https://fast.example/hook' });
    await until(() => to('fast.example').length === 5, 5_000);
  });
});

describe('a delivery', () => {
  test('is not forgotten when the timer for it was early', async () => {
    const startMs = Date.now();
    const slowClock = () => startMs + Math.floor((Date.now() - startMs) / 2);
    const { send, types } = endpoint();
    const { create } = await openStudio({ clock: slowClock, jobSeconds: 1, webhooks: { send } });
    await create(hooked);
    await until(() => types().at(-1) === 'movie.completed');
  });

  test('is signed by Standard Webhooks with the secret that the studio was given', async () => {
    const secret = `whsec_${Buffer.from('a secret of the test').toString('base64')}`;
    const { send, sent } = endpoint();
    const { create, studio } = await openStudio({ webhooks: { send, secret } });
    await create(hooked);
    await until(() => sent.length > 0);
    const [first] = sent;
    expect(studio.webhookSecret).toBe(secret);
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)).toEqual(
      first?.event,
    );
    expect(first?.headers).toMatchObject({ 'Content-Type': 'application/json', 'webhook-id': first?.event.id });
  });

  test.each([
    ['refused', 500],
    ['redirected', 302],
    ['lost', new Error('connect ECONNREFUSED')],
  ])('that is %s comes again with the same id, later and later, until it arrives', async (_, answer) => {
    const { create, forward, sent, studio } = await open({ jobSeconds: 1e6 }, [answer, answer, answer]);
    await create(hooked);
    await forward(0);
    await forward(4);
    expect(sent).toHaveLength(1);
    await forward(1);
    expect(sent).toHaveLength(2);
    await forward(30);
    expect(sent).toHaveLength(3);
    await forward(120);
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ event }) => event.id)).size).toBe(1);
    expect(
      studio
        .books()
        .deliveries.map(({ state, attempts }) => `${state} ${attempts}`)
        .at(0),
    ).toBe('delivered 4');
  });

  test('is given up after a day', async () => {
    const { create, forward, sent, studio } = await open(
      { jobSeconds: 1e9 },
      Array.from({ length: 100 }, () => 503),
    );
    await create(hooked);
    for (let hour = 0; hour < 30; hour += 1) await forward(3600);
    expect(studio.books().deliveries[0]?.state).toBe('given_up');
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.length).toBeLessThan(12);
  });

  test('survives a restart', async () => {
    const dataFolder = await temporaryFolder();
    const first = await open({ dataFolder, jobSeconds: 1e6 }, [500]);
    await first.create(hooked);
    await first.forward(0);
    await first.studio.close();
    const second = await open({ dataFolder });
    await second.forward(5);
    expect(second.types()).toEqual(['movie.queued']);
    expect(second.sent[0]?.event.id).toBe(first.sent[0]?.event.id);
  });

  test('by another movie does not wait for one that hangs', async () => {
    const heard: string[] = [];
    const send: Send = (url, { signal }) => {
      heard.push(url);
      if (!url.endsWith('/slow')) return Promise.resolve(204);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const { create } = await openStudio({ jobSeconds: 1e6, webhooks: { send } });
    await create({ ...brief, webhook_url: 'https://example.com/slow' });
    await create({ ...brief, webhook_url: 'https://example.com/quick' });
    await until(() => heard.includes('https://example.com/quick'));
  });
});

describe('a fault of events', () => {
  const withMode = (mode: 'none' | 'twice' | 'out_of_order' | 'forged', options: Partial<StudioOptions> = {}) =>
    open({ faults: { rules: [{ effect: 'webhook', mode }] }, ...options });

  test('none: nothing is told', async () => {
    const { create, forward, sent } = await withMode('none');
    await create(hooked);
    await forward(1000);
    expect(sent).toEqual([]);
  });

  test('twice: everything is told again with the same id', async () => {
    const { create, forward, sent } = await withMode('twice');
    await create(hooked);
    await forward(1000);
    expect(sent).toHaveLength(10);
    expect(new Set(sent.map(({ event }) => event.id)).size).toBe(5);
  });

  test('out_of_order: the end comes first, and the beginning last', async () => {
    const { create, forward, types } = await withMode('out_of_order');
    await create(hooked);
    await forward(99);
    expect(types()).toEqual([]);
    await forward(2);
    expect(types()).toEqual([
      'movie.completed',
      'movie.rendering',
      'movie.generating',
      'movie.planning',
      'movie.queued',
    ]);
  });

  test('forged: a lie under a signature that does not verify, beside the truth', async () => {
    const { create, forward, sent, studio } = await withMode('forged');
    await create(hooked);
    await forward(0);
    const secret = new Webhook(studio.webhookSecret);
    const verified = sent.map(({ body, headers, event }) => {
      try {
        // The hand clock stands far from the machine's: only the signature matters here.
        const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000);
        return [event.type, secret.sign(event.id, timestamp, body) === headers['webhook-signature']];
      } catch {
        return [event.type, false];
      }
    });
    expect(verified).toEqual([
      ['movie.completed', false],
      ['movie.queued', true],
    ]);
  });
});

test('a callback address that must not be called is refused at once', async () => {
  const { call } = await openStudio();
  const refused = (webhook_url: string) => call('POST', '/movies', { body: { ...brief, webhook_url } });
  for (const url of [
    'http://example.com/',
    'https://10.0.0.1/',
    'https://localhost/',
    'ftp://example.com/',
    'no url',
  ]) {
    expect(await codeOf(await refused(url))).toBe('400 invalid_request');
  }
});

describe('over the network', () => {
  async function serve(answer: (path: string) => { status: number; location?: string }) {
    const paths: string[] = [];
    const server = createServer((incoming, outgoing) => {
      paths.push(incoming.url ?? '');
      const { status, location } = answer(incoming.url ?? '');
      incoming
        .resume()
        .on('end', () => outgoing.writeHead(status, location === undefined ? {} : { location }).end('ok'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
  }

  const options = () => ({ headers: {}, body: '{}', signal: AbortSignal.timeout(5_000) });

  test('redirects are not followed', async () => {
    const { url, paths } = await serve(() => ({ status: 302, location: '/elsewhere' }));
    expect(await createSend({ allowLoopback: true })(`${url}/hook`, options())).toBe(302);
    expect(paths).toEqual(['/hook']);
  });

  test('a name that leads to this machine is not called', async () => {
    const { url, paths } = await serve(() => ({ status: 200 }));
    const named = url.replace('127.0.0.1', 'localhost');
    await expect(createSend({ allowLoopback: false })(named, options())).rejects.toThrow('private address');
    expect(paths).toEqual([]);
  });

  test('a whole movie is told to a server of this machine', async () => {
    const { url, paths } = await serve(() => ({ status: 200 }));
    const { create, studio } = await openStudio({ webhooks: { allowLoopback: true } });
    await create({ ...brief, webhook_url: `${url}/hook` });
    await until(() => studio.books().deliveries.every(({ state }) => state === 'delivered'));
    expect(paths).toHaveLength(5);
  });
});
