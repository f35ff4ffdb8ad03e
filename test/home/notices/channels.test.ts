import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { chatChannel } from '../../../home/notices/chat-channel.js';
import { mailChannel } from '../../../home/notices/mail-channel.js';
import type { NoticeChannel } from '../../../home/notices/notice-channel.js';
import { readNotices } from '../../../home/notices/notice-settings.js';
import { openNoticeChannels } from '../../../home/notices/open-notice-channels.js';
import { createPoster } from '../../../home/notices/post.js';
import { webhookChannel } from '../../../home/notices/webhook-channel.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function opened(channel: NoticeChannel): NoticeChannel {
  closing.push(() => channel.close());
  return channel;
}

interface Heard {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An endpoint that answers so, and what it heard. */
async function endpoint(status: number, headers: Record<string, string> = {}) {
  const heard: Heard[] = [];
  const server: Server = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => {
      heard.push({ headers: request.headers, body });
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard };
}

const message = {
  ...{ id: '0a1b2c3d-7', kind: 'approval', about: 'spring-1', atMs: Date.UTC(2026, 10, 28) },
  ...{ subject: 'Approve <b> & 2.00 USD', lines: ['by sam'], url: 'https://desk.example/batches/spring-1/plan' },
  ...{ roles: ['finance'], to: ['dana@example.com'] },
};

describe('a chat', () => {
  test('gets the ask with its link, and no sign of a sheet means anything there', async () => {
    const { url, heard } = await endpoint(200);
    expect(await opened(chatChannel(url)).send(message)).toEqual({ kind: 'taken' });
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual({
      text: 'Approve &lt;b&gt; &amp; 2.00 USD',
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '*Approve &lt;b&gt; &amp; 2.00 USD*\nby sam\n<https://desk.example/batches/spring-1/plan|Open at the desk>',
          },
        },
      ],
    });
  });

  test.each([
    [429, { 'retry-after': '30' }, 30_000],
    [503, {}, null],
    [404, {}, null],
  ])('that answers %d is told later', async (status, headers, afterMs) => {
    const { url } = await endpoint(status, headers);
    expect(await opened(chatChannel(url)).send(message)).toEqual({
      ...{ kind: 'later', why: `it answered ${status}`, afterMs },
    });
  });

  test('that is gone says so', async () => {
    const { url } = await endpoint(410);
    expect(await opened(chatChannel(url)).send(message)).toMatchObject({ kind: 'later', isGone: true });
  });

  test('that nobody answers for is told later', async () => {
    expect(await opened(chatChannel('http://127.0.0.1:9/hook')).send(message)).toMatchObject({ kind: 'later' });
  });

  test.each(['https://localhost:8443/hook', 'https://10.0.0.1/hook', 'https://[::1]/hook'])(
    'of the own network is never dialled: %s',
    async (url) => {
      const poster = createPoster(url);
      closing.push(poster.close);
      expect(await poster.post('{}', {})).toMatchObject({
        kind: 'later',
        why: expect.stringContaining('is an address of a private network'),
      });
    },
  );
});

test('another system can prove each message by either secret, and knows it by its id', async () => {
  const { url, heard } = await endpoint(204);
  const secrets = ['whsec_c2VjcmV0LW9uZS1mb3ItdGVzdHM=', 'whsec_c2VjcmV0LXR3by1mb3ItdGVzdHM='];
  const channel = opened(webhookChannel({ url, secrets }));
  await channel.send(message);
  await channel.send(message);
  for (const secret of secrets) {
    const { body = '', headers = {} } = heard[0] ?? {};
    const proved = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(proved).toMatchObject({ type: 'greenlight.approval', data: { about: 'spring-1', url: message.url } });
  }
  expect(heard.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_0a1b2c3d-7', 'msg_0a1b2c3d-7']);
});

describe('mail', () => {
  /** As much of a mail server as takes a message. */
  async function mailServer(): Promise<{ readonly smtpUrl: string; readonly mails: readonly string[] }> {
    const mails: string[] = [];
    const server = createTcpServer((socket) => {
      let mail: string | null = null;
      socket.write('220 test\r\n');
      socket.on('data', (data) => {
        const text = data.toString();
        if (mail !== null) {
          mail += text;
          if (!mail.endsWith('\r\n.\r\n')) return;
          mails.push(mail);
          mail = null;
          socket.write('250 ok\r\n');
        } else if (text.startsWith('DATA')) {
          mail = '';
          socket.write('354 go\r\n');
        } else if (text.startsWith('QUIT')) socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return { smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, mails };
  }

  test('has the ask as its subject, the same id at each try, and a thread for each batch', async () => {
    const { smtpUrl, mails } = await mailServer();
    const channel = opened(mailChannel({ smtpUrl, from: 'desk@example.com', to: 'fay@example.com' }));
    expect(await channel.send(message)).toEqual({ kind: 'taken' });
    expect(mails[0]).toContain('Subject: Approve <b> & 2.00 USD');
    expect(mails[0]).toContain('Message-ID: <0a1b2c3d-7@greenlight>');
    expect(mails[0]).toContain('References: <about-spring-1@greenlight>');
    expect(mails[0]).toContain('https://desk.example/batches/spring-1/plan');
    expect(mails[0]).toContain('To: fay@example.com, dana@example.com');
  });

  test('goes to whom it is for, and to nobody where there is nobody', async () => {
    const { smtpUrl, mails } = await mailServer();
    const channel = opened(mailChannel({ smtpUrl, from: 'desk@example.com', to: '' }));
    await channel.send({ ...message, to: [] });
    await channel.send(message);
    expect(mails.map((mail) => /^To: .*$/m.exec(mail)?.[0].trim())).toEqual(['To: dana@example.com']);
  });

  test('whose server is down is told later', async () => {
    const channel = opened(mailChannel({ smtpUrl: 'smtp://127.0.0.1:9', from: 'a@example.com', to: 'b@example.com' }));
    expect(await channel.send(message)).toMatchObject({ kind: 'later', why: expect.stringContaining('ECONNREFUSED') });
  });
});

test('half a channel is a mistake of the settings; none is none', () => {
  expect(openNoticeChannels(readNotices({}))).toEqual([]);
  expect(() => readNotices({ webhookUrl: 'https://other.example/hook' })).toThrow('GREENLIGHT_NOTICES_WEBHOOK_SECRET');
  expect(() => readNotices({ smtpUrl: 'smtp://mail.example', mailTo: 'a@example.com' })).toThrow('MAIL_FROM');
});
