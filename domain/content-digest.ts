import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Brief } from './brief.js';

type Content = Omit<Brief, 'rowKey'>;

/**
 * What makes the movie, and nothing else: saving a file again, renaming it or moving its rows changes no digest.
 *
 * References count by the SHA-256 of their bytes, or by their `ref_` id where only that is known.
 *
 * @returns 64 hex digits, or null while a remote reference has not been fetched (its bytes are not known yet).
 */
export function contentDigest(content: Content): string | null {
  const text = contentText(content);
  return text === null ? null : bytesToHex(sha256(utf8ToBytes(text)));
}

/**
 * The canonical JSON (RFC 8785) that `contentDigest` hashes, for those who hash it by faster means. Its names stand in
 * their sorted order, and what is left to canonicalise, plain JSON writes the same way; a test holds the two together.
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
