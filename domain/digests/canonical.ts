import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Canonical JSON (RFC 8785): one text for one value, whatever the order of its keys.
 *
 * @throws TypeError when the value has no JSON form (undefined, a function, NaN).
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError(`Cannot canonicalise a ${typeof value}: it has no JSON form`);
  return text;
}

/** SHA-256 of a value's canonical JSON, as 64 hex digits. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
