import type { HiddenRows } from '../../manifests/read-manifest.js';
import { CliError, exitCodes } from '../terminal/context.js';

/** @throws CliError for anything but the two choices. */
export function parseHiddenRows(text: string): HiddenRows {
  if (text === 'order' || text === 'leave') return text;
  throw new CliError(`Cannot use --hidden-rows ${text}: it must be order or leave`, exitCodes.usage);
}
