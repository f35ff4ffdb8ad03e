import { createHash } from 'node:crypto';
import type { Brief } from '../brief.js';

/** What makes a movie: its id does not. */
export type Content = Omit<Brief, 'rowKey'>;

/**
 * What makes the movie, and nothing else: saving a file again, renaming it or moving its rows changes no digest.
 *
 * SHA-256 over canonical JSON (RFC 8785). References count by the SHA-256 of their bytes, or by their `ref_` id where
 * only that is known.
 *
 * @returns 64 hex digits, or null while a remote reference has not been fetched (its bytes are not known yet).
 */
export function contentDigest(content: Content): string | null {
  const text = canonicalContent(content);
  return text === null ? null : createHash('sha256').update(text).digest('hex');
}

/** Names in their sorted order; what is left to canonicalise, plain JSON writes the same way, several times faster. */
function canonicalContent({ aspectRatio, durationSeconds, prompt, references, style }: Content): string | null {
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
