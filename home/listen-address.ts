import { z } from 'zod';

/** Where one of our servers listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `port` or `host:port`, IPv6 in brackets. */
const listenForm = /^(?:(\[[0-9a-f:.]+\]|[^\s:[\]]+):)?(\d{1,5})$/i;

export const listenSetting = z.coerce.string().refine((text) => portOf(text) >= 1 && portOf(text) <= 65_535, {
  error: 'must be host:port, or a port from 1 to 65535',
});

/** Parses an address; without a host, it is the loopback address. */
export function parseListen(listen: string): ListenAddress {
  const host = listenForm.exec(listen)?.[1] ?? '127.0.0.1';
  return { host: host.replace(/^\[|\]$/g, ''), port: portOf(listen) };
}

function portOf(listen: string): number {
  return Number(listenForm.exec(listen)?.[2]);
}
