import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Content, contentText } from './content-text.js';

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
