import { readFile } from 'node:fs/promises';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { ConfigError } from './config-error.js';

export const settingsFileName = 'greenlight.config.yaml';

/** The values of a settings file, and their lines. */
export interface SettingsFile {
  /** The name that a person gave. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The line of a value, or of the nearest part of the file that holds it; null if there is no file. */
  lineOf(path: readonly PropertyKey[]): number | null;
}

/**
 * Reads a YAML file of settings.
 *
 * @throws ConfigError when it cannot be read, or is missing although it was named.
 */
export async function readSettingsFile(
  path: string,
  { name, named }: { readonly name: string; readonly named: boolean },
): Promise<SettingsFile> {
  const text = await textOf(path, { name, named });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) {
    const [first = ''] = error.message.split('\n');
    throw new ConfigError(`Cannot read ${name}: ${first.replace(/:$/, '')}`, { cause: error });
  }
  const values: unknown = document.toJS() ?? {};
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new ConfigError(`Cannot use ${name}: it must be a map of settings, e.g. "maxInFlight: 40"`);
  }
  return {
    name,
    values: values as Record<string, unknown>, // a map whose keys YAML makes text
    lineOf(keys) {
      for (let length = keys.length; length > 0; length -= 1) {
        const node = document.getIn(keys.slice(0, length), true);
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
      }
      return null;
    },
  };
}

async function textOf(path: string, { name, named }: { readonly name: string; readonly named: boolean }) {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // from the file system
    if (code === 'ENOENT' && !named) return '';
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new ConfigError(`Cannot read ${name}: ${why}`, { cause: error });
  }
}
