import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UnsupportedReferenceError } from './unsupported-reference-error.js';

const maximumBytes = 4 * 1024 * 1024;

/** Accepts valid UTF-8 without control characters that text never has, and no markup that a browser would run. */
export async function requirePlainText(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size > maximumBytes) {
    throw new UnsupportedReferenceError(`its content is unknown, and as text it would be too long (${size} bytes)`);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const chunk of createReadStream(path)) text += decoder.decode(chunk, { stream: true });
    text += decoder.decode();
  } catch (cause) {
    throw new UnsupportedReferenceError('its content is neither a known format nor UTF-8 text', { cause });
  }
  if (hasBinaryControls(text)) throw new UnsupportedReferenceError('its content is binary and of no known format');
  if (looksActive(text)) throw new UnsupportedReferenceError('its content is markup or a script; send plain text');
  if (text.trim() === '') throw new UnsupportedReferenceError('the text is blank');
}

function hasBinaryControls(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 && character !== '\t' && character !== '\n' && character !== '\r' && character !== '\f')
      return true;
  }
  return false;
}

function looksActive(text: string): boolean {
  return /^\s*(?:<[!?a-z]|#!)/i.test(text) || /<(?:script|svg|iframe|html)[\s>]/i.test(text);
}
