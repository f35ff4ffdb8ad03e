import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveStudio } from '../../studio/serve.js';
import { createStudio, type StudioOptions } from '../../studio/studio.js';
import { movieApiSuite, type OpenedService } from './movie-api.case.js';

const apiKey = 'key-of-the-suite';

/** A stub is done at once, but for the one that the suite wants to cancel. */
const jobSeconds = ({ prompt }: { readonly prompt: string }) => (prompt.endsWith('To be canceled.') ? 3600 : 0);

async function inProcess(options: Partial<StudioOptions> = {}): Promise<OpenedService> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'studio-'));
  const studio = await createStudio({ dataFolder, apiKeys: [apiKey], render: 'stub', jobSeconds, ...options });
  return {
    baseUrl: 'http://studio.test/v1',
    apiKey,
    fetch: (request) => studio.fetch(request),
    async close() {
      await studio.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

async function overAPort(): Promise<OpenedService> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'studio-'));
  const { url, close } = await serveStudio({ port: 0, dataFolder, apiKeys: [apiKey], render: 'draft' });
  return {
    baseUrl: url,
    apiKey,
    fetch,
    async close() {
      await close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

movieApiSuite('the studio in process', inProcess);
movieApiSuite('the studio over a port, rendering', overAPort);
movieApiSuite('the studio refusing repeated keys', () => inProcess({ idempotency: 'conflict' }));
movieApiSuite('the studio ignoring keys', () => inProcess({ idempotency: 'none' }));
movieApiSuite('the studio with a rate limit', () => inProcess({ rate: { perSecond: 20, burst: 5 } }));
