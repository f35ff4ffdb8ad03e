import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes the SDK download a server. It does so only while starting one, so one is started, and stopped at once.
 *
 * @returns the path of the executable that it left in `folder`.
 */
export async function sdkDownload(folder: string): Promise<string> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir: folder } },
  });
  await environment.teardown();
  const name = (await readdir(folder)).find((file) => file.startsWith('temporal'));
  if (!name) throw new Error('it left no server behind');
  return join(folder, name);
}
