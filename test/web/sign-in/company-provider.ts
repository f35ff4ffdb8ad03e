import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface TestProvider {
  readonly issuer: string;
  readonly server: Server;
}

/** A real OpenID Connect provider, whose people are whoever signs in; `unverified` has proved no address. */
export async function openProvider(redirectUri: string): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'desk', client_secret: 'secret-of-this-test', redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@acme.example`, email_verified: id !== 'unverified' }),
    }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return { issuer, server };
}

/** Signs in at the provider by its own forms. @returns the address that it sends the browser back to. */
export async function signInThere(url: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = url;
  let init: RequestInit = {};
  for (let step = 0; step < 20; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    init = {};
    const location = answer.headers.get('location');
    const html = await answer.text();
    if (location !== null) {
      const next = new URL(location, at);
      if (next.pathname.endsWith('/sign-in/company/back')) return next;
      at = next.href;
      continue;
    }
    const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(html) ?? [];
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(html) ?? [];
    if (action === '') throw new Error(`The provider shows no form: ${html.slice(0, 200)}`);
    at = new URL(action, at).href;
    init = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt, login, password: 'any' }).toString(),
    };
  }
  throw new Error('The provider leads nowhere');
}
