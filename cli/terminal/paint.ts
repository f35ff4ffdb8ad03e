import type { Paint } from '../views/progress-view.js';
import type { CliContext } from './context.js';
import { lazyRequire } from './lazy-require.js';

/** Colours only for a terminal that wants them (`NO_COLOR`, `TERM=dumb`). */
export function createPaint(stream: CliContext['stdout'], env: CliContext['env']): Paint {
  if (!stream.isTTY || env.NO_COLOR || env.TERM === 'dumb') return (_tone, text) => text;
  const { Ansis } = lazyRequire('ansis') as typeof import('ansis');
  const colours = new Ansis(1); // the sixteen colours of every terminal, so that its own theme decides
  const tones = {
    good: colours.green,
    busy: colours.cyan,
    bad: colours.red,
    quiet: colours.dim,
    strong: colours.bold,
  };
  return (tone, text) => (text === '' ? '' : tones[tone](text));
}
