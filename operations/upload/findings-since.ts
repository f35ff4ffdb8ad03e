import type { Finding } from '../../manifests/read-manifest.js';

/** How the findings changed since an earlier upload. */
export interface FindingsSince {
  readonly fixed: number;
  readonly left: number;
  readonly added: number;
}

const maxKept = 10_000;

/** Keys that identify findings across two uploads of a sheet; without repairs, which nobody has to fix. */
export function findingKeys(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ severity }) => severity !== 'repair')
    .slice(0, maxKept)
    .map(({ code, row, field }) => JSON.stringify([code, row, field]));
}

export function findingsSince(before: readonly string[], findings: readonly Finding[]): FindingsSince {
  const was = new Set(before);
  const is = new Set(findingKeys(findings));
  const left = [...is].filter((key) => was.has(key)).length;
  return { fixed: was.size - left, left, added: is.size - left };
}
