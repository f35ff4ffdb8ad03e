import { type Refusal, refusalOf } from '../../operations/access/refusals.js';
import type { DeskContext } from '../desk-env.js';
import { pathIn } from '../guard/form-page.js';
import { type Refused, refuse } from './refuse.js';

/**
 * What a person is told when an operation refuses, or something of ours fails.
 *
 * @param next where to go on from a refusal
 */
export function explain(error: unknown, c: DeskContext, next?: Refused['next']): Response | Promise<Response> {
  const refusal = refusalOf(error);
  if (refusal?.kind === 'away') c.get('deps').onFault(error, c.get('requestId'));
  const isLook = c.req.method === 'GET' && refusal?.kind === 'away';
  const goOn = isLook ? { path: pathIn(c.req.url, c.get('deps').site), text: 'Try again' } : next;
  if (refusal) return refuse(c, { ...refusedFor(refusal), ...(goOn && { next: goOn }) });
  c.get('deps').onFault(error, c.get('requestId'));
  return refuse(c, {
    ...{ status: 500, title: 'Something went wrong here' },
    message:
      'It is our fault, not yours. Whether anything was done is in the audit; tell an operator the number below.',
  });
}

export function missingPage(c: DeskContext): Response | Promise<Response> {
  return refuse(c, {
    ...{ status: 404, title: 'There is no such page' },
    message: 'The address may be incomplete, or the page may have moved.',
  });
}

function refusedFor({ kind, code, message }: Refusal): Refused {
  const words = sentence(message);
  switch (kind) {
    case 'wrong':
      return { status: 400, title: 'This request cannot be carried out', message: words };
    case 'forbidden':
      return { status: 403, title: 'You are not allowed to do this', message: words };
    case 'missing':
      return { status: 404, title: missingTitle(code), message: words };
    case 'conflict':
      return { status: 409, title: 'It has changed in the meantime', message: words };
    case 'away':
      return {
        ...{ status: 503, title: 'A required part does not answer' },
        message: `${words} Nothing is ordered meanwhile; movies in progress continue at the service and are saved later.`,
      };
    default:
      return kind satisfies never;
  }
}

function missingTitle(code: string): string {
  return code === 'unknown_row'
    ? 'There is no such row'
    : code === 'unknown_batch'
      ? 'There is no such batch'
      : 'Nothing is here';
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
