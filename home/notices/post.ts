import { isIP } from 'node:net';
import { Agent, fetch } from 'undici';
import { isPublicAddress, publicLookup } from '../../api/public-address.js';
import type { Delivery } from './notice-channel.js';

const timeoutMs = 10_000;

/** Posts to an address that a person set, never into the private network: a name is checked when it is dialled. */
export function createPoster(url: string): {
  post(body: string, headers: Record<string, string>): Promise<Delivery>;
  close(): void;
} {
  const isOwnMachine = new URL(url).protocol === 'http:'; // the settings allow plain http for this machine alone
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isPrivate = !isOwnMachine && isIP(host) !== 0 && !isPublicAddress(host); // it needs no look-up
  const agent = new Agent({ connect: { ...(!isOwnMachine && { lookup: publicLookup }), timeout: timeoutMs } });
  return {
    async post(body, headers) {
      if (isPrivate) return { kind: 'later', why: `${host} is an address of a private network`, afterMs: null };
      try {
        const answer = await fetch(url, {
          ...{ method: 'POST', body, headers, dispatcher: agent, redirect: 'error' },
          signal: AbortSignal.timeout(timeoutMs),
        });
        await answer.body?.cancel();
        if (answer.ok) return { kind: 'taken' };
        return {
          kind: 'later',
          why: `it answered ${answer.status}`,
          afterMs: retryAfterMs(answer.headers.get('retry-after')),
          ...(answer.status === 410 && { isGone: true }),
        };
      } catch (error) {
        const { message, cause } = error as Error;
        const why = cause instanceof Error ? cause.message : message;
        return { kind: 'later', why, afterMs: null };
      }
    },
    close: () => void agent.destroy(),
  };
}

/** The header is in seconds, or a date. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
