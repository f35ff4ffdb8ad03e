import type { Finding } from '../../manifests/read-manifest.js';

/** What became of the findings of an earlier upload. */
export interface FindingsSince {
  readonly fixed: number;
  readonly left: number;
  readonly added: number;
}

const mostKept = 10_000;

/** What tells findings of two uploads of a sheet apart; repairs are none that somebody has to fix. */
export function findingKeys(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ severity }) => severity !== 'repair')
    .slice(0, mostKept)
    .map(({ code, row, field }) => JSON.stringify([code, row, field]));
}

export function findingsSince(before: readonly string[], findings: readonly Finding[]): FindingsSince {
  const was = new Set(before);
  const is = new Set(findingKeys(findings));
  const left = [...is].filter((key) => was.has(key)).length;
  return { fixed: was.size - left, left, added: is.size - left };
}
