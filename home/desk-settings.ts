import { z } from 'zod';
import { type ListenAddress, listenSetting, parseListen } from './listen-address.js';

export const DeskSettings = z.strictObject({
  listen: listenSetting.optional().meta({
    env: 'GREENLIGHT_DESK_LISTEN',
    description: 'where this machine serves the desk, `host:port` or a port (default: 7337, or any other free one)',
  }),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an https address' })
    .optional()
    .meta({
      env: 'GREENLIGHT_DESK_URL',
      description: 'the address by which browsers reach the desk, where a proxy stands before it',
    }),
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
