import { z } from 'zod';
import { type ListenAddress, listenSetting, parseListen } from './listen-address.js';

export const DeskSettings = z.strictObject({
  /** Where this machine serves the desk. */
  listen: listenSetting.optional(),
  /** The address by which browsers reach it, where a proxy stands before it; https, or http on this machine. */
  url: z.url({ protocol: /^https?$/, error: 'must be an https address' }).optional(),
});

export interface DeskConfig {
  /** Null: port 7337 of this machine, or any other free one. */
  readonly listen: ListenAddress | null;
  /** Null: the address that is listened at. */
  readonly url: string | null;
}

export function readDesk({ listen, url }: z.infer<typeof DeskSettings>): DeskConfig {
  return { listen: listen === undefined ? null : parseListen(listen), url: url ?? null };
}
