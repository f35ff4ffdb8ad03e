import { z } from 'zod';
import { parseMoney } from '../domain/money.js';
import type { FreshSignIn } from '../web/guard/fresh-sign-in.js';
import { ConfigError } from './config-error.js';
import { type ListenAddress, listenSetting, parseListen } from './listen-address.js';
import { isSafeAddress } from './webhook-settings.js';

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
      description: 'address at which browsers reach the desk, if it is behind a proxy',
    }),
  freshSignInMinutes: z.coerce.number({ error: 'must be a number' }).positive().default(15).meta({
    env: 'GREENLIGHT_DESK_FRESH_SIGN_IN_MINUTES',
    description: 'how long after signing in a person may approve at the desk without signing in again',
  }),
  freshSignInAbove: z
    .string()
    .refine((text) => parseMoney(text) !== null, { error: 'must be an amount with its currency, e.g. 500USD' })
    .optional()
    .meta({
      env: 'GREENLIGHT_DESK_FRESH_SIGN_IN_ABOVE',
      description: 'amount up to which an older sign-in is enough, e.g. `500USD` (default: none)',
    }),
  companyIssuer: z.string().refine(isSafeAddress, { error: 'must be an https address' }).optional().meta({
    env: 'GREENLIGHT_DESK_COMPANY_ISSUER',
    description: 'OpenID Connect provider with which people sign in; they are registered by their e-mail address',
  }),
  companyClientId: z.string().min(1).optional().meta({
    env: 'GREENLIGHT_DESK_COMPANY_CLIENT_ID',
    description: 'client id of the desk at the provider; its redirect path is `/sign-in/company/back`',
  }),
  companyClientSecret: z.string().min(1).optional().meta({
    env: 'GREENLIGHT_DESK_COMPANY_CLIENT_SECRET',
    description: 'client secret of the desk at the provider; better kept out of files',
  }),
});

export interface DeskConfig {
  readonly freshSignIn: FreshSignIn;
  /** Null: port 7337 of this machine, or another free one. */
  readonly listen: ListenAddress | null;
  /** Null: the address at which it listens. */
  readonly url: string | null;
  /** Null: people sign in with codes only. */
  readonly company: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | null;
}

/** @throws ConfigError when a part of the company sign-in is missing. */
export function readDesk({ listen, url, ...settings }: z.infer<typeof DeskSettings>): DeskConfig {
  const { freshSignInMinutes: minutes, freshSignInAbove: above } = settings;
  const freshSignIn = { withinMs: minutes * 60_000, above: above === undefined ? null : parseMoney(above) };
  const place = { listen: listen === undefined ? null : parseListen(listen), url: url ?? null, freshSignIn };
  const { companyIssuer: issuer, companyClientId: clientId, companyClientSecret: clientSecret } = settings;
  if (issuer && clientId && clientSecret) return { ...place, company: { issuer, clientId, clientSecret } };
  if (!issuer && !clientId && !clientSecret) return { ...place, company: null };
  throw new ConfigError(
    'Cannot sign people in by their company: set GREENLIGHT_DESK_COMPANY_ISSUER, GREENLIGHT_DESK_COMPANY_CLIENT_ID and GREENLIGHT_DESK_COMPANY_CLIENT_SECRET',
  );
}
