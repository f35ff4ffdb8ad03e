import { mappableField } from '../../manifests/header/header-map.js';
import type { HeaderMap, HiddenRows } from '../../manifests/read-manifest.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';

/** @throws CliError for anything but the two choices. */
export function parseHiddenRows(text: string): HiddenRows {
  if (text === 'order' || text === 'leave') return text;
  throw new CliError(`Cannot use --hidden-rows ${text}: it must be order or leave`, exitCodes.usage);
}

/**
 * `prompt=Shot Description`, as often as there are fields to name.
 *
 * @throws CliError for a field that is none, named twice, or without a header.
 */
export function parseMap(text: string, earlier: HeaderMap | undefined): HeaderMap {
  const [, name = '', header = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  const refused = (why: string) => new CliError(`Cannot use --map ${text}: ${why}`, exitCodes.usage);
  if (name === '' || header === '') throw refused('write it as field=header, e.g. prompt="Shot Description"');
  const field = mappableField(name);
  if (field === null) {
    throw refused(`"${name}" is not a field; use id, prompt, duration_seconds, aspect_ratio, style or reference_1`);
  }
  if (earlier?.[field] !== undefined) throw refused(`${field} is mapped to "${earlier[field]}" already`);
  return { ...earlier, [field]: header };
}
