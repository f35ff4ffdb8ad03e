/** The studio under load, in a process of its own so that its CPU time is its own. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveStudio } from '../studio/serve.js';

const [render = 'stub'] = process.argv.slice(2);
const dataFolder = await mkdtemp(join(tmpdir(), 'studio-'));
const served = await serveStudio({
  port: 0,
  dataFolder,
  apiKeys: ['bench-key-of-the-studio'],
  render: render === 'film' ? 'film' : 'stub',
  jobSeconds: 3600,
});
process.send?.(served.url);
process.once('SIGTERM', () => {
  void served.close().then(() => process.exit(0));
});
