import type { Brief } from '../brief.js';

/** What makes a movie: its id does not. */
export type Content = Omit<Brief, 'rowKey'>;

/**
 * The canonical JSON (RFC 8785) that `contentDigest` (content-digest.ts) hashes, for those who hash it by faster means.
 * Its names stand in their sorted order, and what is left to canonicalise, plain JSON writes the same way; a test holds
 * the two together.
 *
 * @returns null where `contentDigest` gives null.
 */
export function contentText({ aspectRatio, durationSeconds, prompt, references, style }: Content): string | null {
  const sources: { content: string; description: string | null; role: string }[] = [];
  for (const { source, role, description } of references) {
    const content = source.kind === 'id' ? source.referenceId : source.sha256;
    if (content === null) return null;
    sources.push({ content, description, role });
  }
  return JSON.stringify({
    aspect_ratio: aspectRatio,
    duration_seconds: durationSeconds,
    prompt,
    references: sources,
    style,
  });
}
