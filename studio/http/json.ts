import type { z } from 'zod';
import { Problem } from '../problem.js';
import { MemoryAnswer } from './memory-answer.js';

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new MemoryAnswer(JSON.stringify(value), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses a request's JSON and validates it with `schema`.
 *
 * @throws Problem naming everything that is wrong with it, `action` first.
 */
export function parseJson<Schema extends z.ZodType>(
  bytes: Uint8Array,
  { schema, action, contentType }: { readonly schema: Schema; readonly action: string; contentType: string | null },
): z.output<Schema> {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new Problem('unsupported_media_type', `${action}: the body must be application/json, not ${contentType}`);
  }
  const parsed = schema.safeParse(jsonOf(bytes, action));
  if (!parsed.success) throw new Problem('invalid_request', `${action}: ${problemsOf(parsed.error).join('; ')}`);
  return parsed.data;
}

function jsonOf(bytes: Uint8Array, action: string): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause;
    throw new Problem('invalid_request', `${action}: the body is not JSON in UTF-8`);
  }
}

/** One phrase per problem: `references[2].role must be one of …`. */
export function problemsOf(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const place = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    return `${place.replace(/^\./, '') || 'body'}: ${issue.message}`;
  });
}
