import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { onTestFinished } from 'vitest';
import { type ServeOptions, serveStudio } from '../../../studio/serve.js';
import { temporaryFolder } from '../../studio/open-studio.js';
import { runCommand } from '../memory-context.js';

export const key = 'key-of-the-run';
const jobSeconds = ({ prompt }: { readonly prompt: string }) => (prompt.endsWith('To be canceled.') ? 3600 : 0);

export async function serve(options: Partial<ServeOptions> = {}) {
  const dataFolder = await temporaryFolder();
  const served = await serveStudio({ port: 0, dataFolder, apiKeys: [key], render: 'stub', jobSeconds, ...options });
  onTestFinished(() => served.close());
  return served;
}

export async function conformance(args: readonly string[], options: Partial<Parameters<typeof runCommand>[1]> = {}) {
  return runCommand(['conformance', ...args], { cwd: await temporaryFolder(), ...options });
}

/** The studio as another service would look: it does not say that it is the studio. */
export async function serveOther() {
  const { studio } = await serve();
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    async fetch(request) {
      const answer = await studio.fetch(request);
      answer.headers.delete('server');
      return answer;
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, books: () => studio.books() };
}
