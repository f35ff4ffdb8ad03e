import type { Configuration } from 'openid-client';

/** An OpenID Connect provider that knows the people of a company. */
export interface CompanySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a browser keeps between leaving for the provider and coming back; nothing of it is worth anything elsewhere. */
export interface Departure {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly to: string;
}

export interface Company {
  /** @throws Error where the provider does not answer. */
  depart(to: string): Promise<{ readonly url: string; readonly departure: Departure }>;
  /**
   * @param query as the provider sent the browser back with
   * @returns the address that it has verified; null where it has verified none
   * @throws Error for what is not an answer to this departure: another state or nonce, a code that was used.
   */
  arrive(query: URLSearchParams, departure: Departure): Promise<{ readonly email: string } | null>;
}

const timeoutS = 10;

/** Authorization code flow with PKCE, state and nonce. The library is loaded where a company is set up. */
export function createCompany({ issuer, clientId, clientSecret }: CompanySettings, redirectUri: string): Company {
  let known: Promise<Configuration> | null = null;

  async function open() {
    const oidc = await import('openid-client');
    known ??= oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [], // by the settings, this machine alone
      timeout: timeoutS,
    });
    // A provider that was away is asked again at the next try.
    const config = await known.catch((error: unknown) => {
      known = null;
      throw error;
    });
    return { oidc, config };
  }

  return {
    async depart(to) {
      const { oidc, config } = await open();
      const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
      const url = oidc.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: 'openid email', state, nonce, code_challenge_method: 'S256' },
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      });
      return { url: url.href, departure: { verifier, state, nonce, to } };
    },
    async arrive(query, { verifier, state, nonce }) {
      const { oidc, config } = await open();
      // By our own address, whatever a proxy made of the one that was asked.
      const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      });
      const claims = tokens.claims();
      return claims?.email_verified === true && typeof claims.email === 'string' ? { email: claims.email } : null;
    },
  };
}
