import type { Brief } from './brief.js';
import { digestOf } from './canonical.js';

/**
 * What makes the movie, and nothing else: saving a file again, renaming it or moving its rows changes no digest.
 *
 * References count by the SHA-256 of their bytes, or by their `ref_` id where only that is known.
 *
 * @returns 64 hex digits, or null while a remote reference has not been fetched (its bytes are not known yet).
 */
export function contentDigest(brief: Omit<Brief, 'rowKey'>): string | null {
  const references: { content: string; role: string; description: string | null }[] = [];
  for (const { source, role, description } of brief.references) {
    const content = source.kind === 'id' ? source.referenceId : source.sha256;
    if (content === null) return null;
    references.push({ content, role, description });
  }
  return digestOf({
    prompt: brief.prompt,
    duration_seconds: brief.durationSeconds,
    aspect_ratio: brief.aspectRatio,
    style: brief.style,
    references,
  });
}
