import { resolve } from 'node:path';
import type { z } from 'zod';
import { ConfigError } from './config-error.js';
import { readSettingsFile, type SettingsFile, settingsFileName } from './settings-file.js';
import { eachSetting, Settings } from './settings.js';

/** Settings from the command line; they win over everything else. */
export interface SettingFlags {
  readonly home?: string;
  readonly out?: string;
  readonly render?: string;
  readonly health?: string;
  readonly log?: string;
}

interface Source {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly flags: SettingFlags;
}

/**
 * Reads settings: flags over environment over the settings file over defaults.
 *
 * @throws ConfigError naming every setting that cannot be used, and where it was read.
 */
export async function readSettings({ env, cwd, flags }: Source): Promise<Settings> {
  const name = env.GREENLIGHT_CONFIG ?? settingsFileName;
  const named = env.GREENLIGHT_CONFIG !== undefined;
  const file = await readSettingsFile(resolve(cwd, name), { name, named });
  const values = structuredClone(file.values) as Tree;
  const places = new Map<string, string>();
  for (const { key, env: variable, flag } of eachSetting()) {
    const given = flagValue(flags, flag) ?? (variable === null ? undefined : env[variable]);
    if (given === undefined) continue;
    places.set(key, (flagValue(flags, flag) !== undefined ? flag : variable) ?? '');
    put(values, key.split('.'), given);
  }
  const parsed = Settings.safeParse(values);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, { file, places }));
  throw new ConfigError(`Cannot use the configuration: ${problems.join('; ')}`);
}

interface Tree {
  [key: string]: unknown;
}

function flagValue({ home, out, render, health, log }: SettingFlags, flag: string | null): string | undefined {
  if (flag === '--home') return home;
  if (flag === '--render') return render;
  if (flag === '--health') return health;
  if (flag === '--log') return log;
  return flag === '--out' && out !== undefined ? `file:${out}` : undefined;
}

function put(tree: Tree, [first = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const below = tree[first];
  if (typeof below !== 'object' || below === null || Array.isArray(below)) tree[first] = {};
  put(tree[first] as Tree, rest, value); // checked above
}

interface Places {
  readonly file: SettingsFile;
  /** The flag or variable that a value came from, if not the file. */
  readonly places: ReadonlyMap<string, string>;
}

/** E.g. `maxInFlight: must be a number (greenlight.config.yaml, line 3)`. */
function problemsOf(issue: z.core.$ZodIssue, { file, places }: Places): readonly string[] {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') {
    const key = path.join('.') || 'settings';
    return [`${key}: ${message} (${places.get(key) ?? placeIn(file, path)})`];
  }
  const here = path.join('.');
  const known = eachSetting().flatMap(({ key }) => nameWithin(key, here));
  return issue.keys.map((name) => {
    const key = here === '' ? name : `${here}.${name}`;
    return `${key}: there is no such setting (${placeIn(file, [...path, name])}); there are ${[...new Set(known)].join(', ')}`;
  });
}

function placeIn(file: SettingsFile, path: readonly PropertyKey[]): string {
  const line = file.lineOf(path);
  return line === null ? file.name : `${file.name}, line ${line}`;
}

/** The name right below a part of the settings; none for a key elsewhere. */
function nameWithin(key: string, part: string): readonly string[] {
  if (part === '') return key.split('.').slice(0, 1);
  return key.startsWith(`${part}.`)
    ? key
        .slice(part.length + 1)
        .split('.')
        .slice(0, 1)
    : [];
}
