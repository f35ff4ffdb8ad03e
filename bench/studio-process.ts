/** The movie service of a bench, in a process of its own: both sides order from the same one. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveStudio } from '../studio/serve.js';
import { benchWebhookSecret } from './bench-services.js';
import { numberOf, secondsOf } from './job-lengths.js';

const [from = '1', to = from] = process.argv.slice(2);
const lengths = { from: Number(from), to: Number(to) };
const dataFolder = await mkdtemp(join(tmpdir(), 'studio-'));
const served = await serveStudio({
  ...{
    port: 0,
    dataFolder,
    apiKeys: ['bench-key-of-the-studio'],
    render: 'stub',
    webhooks: { allowLoopback: true, secret: benchWebhookSecret },
    books: true,
    adminKey: 'bench-key-of-the-books',
  },
  jobSeconds: ({ prompt }) => secondsOf(numberOf(prompt), lengths),
});
process.send?.(served.url);
process.once('SIGTERM', () => {
  void served.close().then(() => process.exit(0));
});
