import type { Brief, BriefReference } from './brief.js';
import { canonicalJson } from './digests/canonical.js';

const fields = {
  prompt: (brief: Brief) => brief.prompt,
  duration_seconds: (brief: Brief) => brief.durationSeconds,
  aspect_ratio: (brief: Brief) => brief.aspectRatio,
  style: (brief: Brief) => brief.style,
  references: (brief: Brief) => brief.references.map(contentOf),
};
export type BriefField = keyof typeof fields;

/** The fields in which two briefs would make different movies, by the manifest's names. */
export function changedFields(before: Brief, after: Brief): readonly BriefField[] {
  const names = Object.keys(fields) as BriefField[]; // keys of the table above
  return names.filter((name) => canonicalJson(fields[name](before)) !== canonicalJson(fields[name](after)));
}

function contentOf({ source, role, description }: BriefReference): readonly unknown[] {
  return [source.kind === 'id' ? source.referenceId : source.sha256, role, description];
}
