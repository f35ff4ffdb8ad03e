import { basename, extname } from 'node:path';
import type { ManifestCheck } from '../../manifests/read-manifest.js';
import { amount } from './findings-table.js';

export interface CheckedAs {
  /** As the person named it; null for standard input, which is gone. */
  readonly path: string | null;
  /** Where the repaired manifest was written. */
  readonly fix?: string | undefined;
  readonly strict?: true | undefined;
  readonly campaign?: string | undefined;
  readonly encoding?: string | undefined;
  readonly sheet?: string | undefined;
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly hiddenRows?: string | undefined;
}

/** How many findings and movies, and what to do next, with the same flags as this time. */
export function summaryOf(found: ManifestCheck, checked: CheckedAs): string {
  const { errors, warnings, repairs, briefs } = found;
  const counts = [counted(errors, 'error'), counted(warnings, 'warning'), counted(repairs, 'repair')].filter(
    (part) => part !== null,
  );
  const movies = `${amount(briefs)} ${briefs === 1 ? 'movie' : 'movies'}`;
  const next = nextStep(found, checked);
  return `${counts.length === 0 ? 'No findings' : counts.join(', ')}; ${movies}. Nothing was sent.${next}`;
}

function counted(count: number, word: string): string | null {
  return count === 0 ? null : `${amount(count)} ${word}${count === 1 ? '' : 's'}`;
}

function nextStep(found: ManifestCheck, checked: CheckedAs): string {
  const { path, fix } = checked;
  const command = fix === undefined ? again(checked) : onRepaired(found, checked, fix);
  if (command === null) return '';
  if (found.errors === 0) return ` Next: greenlight plan ${command}`;
  const where = fix === undefined ? '' : ` in ${fix}`;
  const hint = fix === undefined && path !== null && mayRepair(found) ? ' (--fix <file> writes the repairs)' : '';
  return ` Next: correct the errors${where}, then greenlight check ${command}${hint}`;
}

/** Repairs are errors under `--strict`, and are the ones that say what they would write. */
function mayRepair({ repairs, findings }: ManifestCheck): boolean {
  return repairs > 0 || findings.some(({ severity, after }) => severity === 'error' && after !== null);
}

function again({ path, campaign, encoding, sheet, map, hiddenRows, strict }: CheckedAs): string | null {
  if (path === null) return null;
  return [
    quoted(path),
    ...(campaign === undefined ? [] : ['--campaign', quoted(campaign)]),
    ...(encoding === undefined ? [] : ['--encoding', quoted(encoding)]),
    ...(sheet === undefined ? [] : ['--sheet', quoted(sheet)]),
    ...Object.entries(map ?? {}).flatMap(([field, header]) => ['--map', quoted(`${field}=${header}`)]),
    ...(hiddenRows === undefined ? [] : ['--hidden-rows', hiddenRows]),
    ...(strict ? ['--strict'] : []),
  ].join(' ');
}

/** Under another name the rows would be of another campaign. */
function onRepaired(
  { head }: ManifestCheck,
  { encoding, sheet, hiddenRows, map, strict }: CheckedAs,
  fix: string,
): string | null {
  const ofWorkbook = head.format === 'xlsx' && !fix.toLowerCase().endsWith('.csv') ? { sheet, hiddenRows } : {};
  const isSameName = basename(fix, extname(fix)) === head.campaign;
  const campaign = isSameName ? undefined : head.campaign;
  return again({
    path: fix,
    campaign,
    encoding: head.format === 'xlsx' ? undefined : encoding,
    ...ofWorkbook,
    map,
    strict,
  });
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
