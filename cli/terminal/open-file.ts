import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { CliContext } from './context.js';

/**
 * Opens a file in the program that the system has for it, which lives on by itself.
 *
 * @returns false where the system has no opener, or no screen.
 */
export function openFile({ env }: Pick<CliContext, 'env'>, path: string): Promise<boolean> {
  const [command, ...args] = openerOf(env);
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, path], { detached: true, stdio: 'ignore', env: { ...env } });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function openerOf(env: CliContext['env']): readonly string[] {
  switch (platform()) {
    case 'darwin':
      return ['open'];
    case 'win32':
      return ['cmd', '/c', 'start', '""'];
    default:
      return env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME ? ['xdg-open'] : [];
  }
}
