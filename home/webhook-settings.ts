import { z } from 'zod';
import { ConfigError } from './config-error.js';
import { type ListenAddress, listenSetting, parseListen } from './listen-address.js';

const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** The form of secrets in Standard Webhooks: base64, with or without the prefix. */
const secretForm = /^(whsec_)?(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** One secret, or several separated by spaces. */
export const secretsText = z
  .string()
  .refine((text) => secretsIn(text).length > 0 && secretsIn(text).every((one) => secretForm.test(one)), {
    error: 'must be whsec_ and base64, or several with spaces between',
  });

export const WebhookSettings = z.strictObject({
  url: z.string().refine(isSafeAddress, { error: 'must be an https address' }).optional().meta({
    env: 'GREENLIGHT_WEBHOOK_URL',
    description: "https address for the service's events, sent with each order (default: only polling)",
  }),
  listen: listenSetting.optional().meta({
    env: 'GREENLIGHT_WEBHOOK_LISTEN',
    description: '`host:port` where this machine receives them (default: this machine receives none)',
  }),
  secret: secretsText.optional().meta({
    env: 'GREENLIGHT_WEBHOOK_SECRET',
    description: '`whsec_…` of the service; a space-separated pair during rotation; better kept out of files',
  }),
});

export interface WebhooksConfig {
  readonly url: string;
  /** Null: another machine receives the events. */
  readonly listen: ListenAddress | null;
  /** Empty: unsigned events are accepted. */
  readonly secrets: readonly string[];
}

/** @throws ConfigError when a listen address is set but no address for the service to send to. */
export function readWebhooks({ url, listen, secret }: z.infer<typeof WebhookSettings>): WebhooksConfig | null {
  if (url === undefined) {
    if (listen === undefined) return null;
    throw new ConfigError(
      'Cannot use GREENLIGHT_WEBHOOK_LISTEN: GREENLIGHT_WEBHOOK_URL is not set; set it to the https address by which the movie service reaches this machine',
    );
  }
  return { url, listen: listen === undefined ? null : parseListen(listen), secrets: secretsIn(secret ?? '') };
}

/** Whether it is https, or plain http on this machine. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && loopbackHost.test(hostname));
}

export function secretsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((one) => one !== '');
}
