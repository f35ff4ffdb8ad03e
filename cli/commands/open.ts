import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { isBatchOrCampaign, listBatches, readBatch } from '../../operations/batches.js';
import { homeOption, type Session, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { openFile } from '../terminal/open-file.js';
import { printLine, say } from '../terminal/print.js';

const galleryName = 'gallery.html';
/** Of the newest batches: one that is being priced has none. */
const lookedAt = 20;

/** `greenlight open`: the gallery of a batch or a bundle, in the browser. */
export function addOpenCommand(program: Command, context: CliContext): void {
  program
    .command('open')
    .description('Open the gallery of a batch in your browser; without one, print its path')
    .argument('[batch, campaign or folder]', 'of a campaign, its newest batch with a gallery (default: of all batches)')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight open spring-launch-3')
    .action(async (what, flags) => {
      const folder = what === undefined ? null : await folderAt(context, what);
      if (folder !== null) return show(context, join(folder, galleryName), what ?? '');
      await withSession(context, flags, async (session) => {
        const batchId = await batchIdOf(session, what);
        await show(context, galleryOf(session.installation, batchId), batchId);
      });
    });
}

async function folderAt({ cwd }: CliContext, what: string): Promise<string | null> {
  const path = resolve(cwd, what);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? path : null;
}

/** What somebody names, or the newest batch of a campaign, or of all, whose gallery is there. */
async function batchIdOf(session: Session, what: string | undefined): Promise<string> {
  const { deps, installation } = session;
  const actor = await session.actor();
  if (what !== undefined && (await isBatchOrCampaign(deps, { id: what, actor })) === 'batch') {
    return (await readBatch(deps, { actor, batchId: what })).batch.batchId;
  }
  const newest = await listBatches(deps, { actor, limit: lookedAt, ...(what !== undefined && { campaign: what }) });
  const ids = newest.map(({ batch }) => batch.batchId);
  const found = ids.find((batchId) => existsSync(galleryOf(installation, batchId))) ?? ids[0];
  if (found !== undefined) return found;
  throw new CliError('Cannot open a gallery: there is no batch yet; begin with greenlight run', exitCodes.usage);
}

function galleryOf({ config: { archiveUrl } }: Session['installation'], batchId: string): string {
  if (archiveUrl.startsWith('file:')) return join(archiveUrl.slice('file:'.length), batchId, galleryName);
  throw new CliError(
    `Cannot open the gallery of ${batchId}: its archive is ${archiveUrl}; greenlight bundle ${batchId} brings it here`,
    exitCodes.usage,
  );
}

async function show(context: CliContext, path: string, what: string): Promise<void> {
  if (!existsSync(path)) {
    throw new CliError(
      `Cannot open the gallery of ${what}: there is no ${galleryName} in its folder; greenlight results ${what} writes it`,
      exitCodes.usage,
    );
  }
  printLine(context, relative(context.cwd, path) || path);
  if (!(await openFile(context, path))) say(context, 'No program to open it was found here: open it in a browser');
}
