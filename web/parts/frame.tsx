import { createContext, useContext } from 'hono/jsx';
import type { Actor } from '../../domain/roles.js';
import type { Service } from '../../domain/service.js';
import type { DeskContext } from '../desk-env.js';

/** What every part of a page may know of the request that it answers. */
export interface Frame {
  /** Before every path of ours: `/gl`, or nothing. */
  readonly basePath: string;
  readonly actor: Actor | null;
  /** For forms; empty where nobody is signed in. */
  readonly formToken: string;
  readonly service: Service;
  readonly nowMs: number;
  readonly requestId: string;
}

export function frameOf(c: DeskContext): Frame {
  const { site, service, clock } = c.get('deps');
  const signedIn = c.get('signedIn') ?? null;
  return {
    ...{ basePath: site.basePath, service, nowMs: clock(), requestId: c.get('requestId') },
    actor: signedIn?.actor ?? null,
    formToken: signedIn?.formToken ?? '',
  };
}

export const FrameContext = createContext<Frame | null>(null);

/** Inside of a `Page` only. */
export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (frame) return frame;
  throw new Error('Cannot draw this part: it is not inside of a page');
}
