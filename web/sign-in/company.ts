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
  /** How long ago the person may have signed in at the provider, in seconds. */
  readonly maxAgeS: number;
}

/** What somebody leaves for. */
export interface Asked {
  /** Where they go on afterwards. */
  readonly to: string;
  /** The provider lets nobody through who is signed in there already. */
  readonly isAgain: boolean;
}

export interface Arrived {
  readonly email: string;
  /** When the person signed in at the provider; null where it does not say. */
  readonly provedMs: number | null;
}

export interface Company {
  /** @throws Error where the provider does not answer. */
  depart(asked: Asked): Promise<{ readonly url: string; readonly departure: Departure }>;
  /**
   * @param query as the provider sent the browser back with
   * @returns the address that it has verified, and when the person signed in there; null where it has verified none
   * @throws Error for what is not an answer to this departure: another state or nonce, a code that was used.
   */
  arrive(query: URLSearchParams, departure: Departure): Promise<Arrived | null>;
}

const timeoutS = 10;
/** A sign-in at the provider that is older than a session here is asked for again. */
const maxAgeS = 12 * 60 * 60;
/** For people who are signed in here already: the provider asks them anew, and has a while to answer. */
const maxAgeAgainS = 600;

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
    async depart({ to, isAgain }) {
      const { oidc, config } = await open();
      const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
      const age = isAgain ? maxAgeAgainS : maxAgeS;
      const url = oidc.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: 'openid email', state, nonce, code_challenge_method: 'S256' },
        ...{ max_age: String(age), ...(isAgain && { prompt: 'login' }) },
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      });
      return { url: url.href, departure: { verifier, state, nonce, to, maxAgeS: age } };
    },
    async arrive(query, { verifier, state, nonce, maxAgeS: maxAge }) {
      const { oidc, config } = await open();
      // By our own address, whatever a proxy made of the one that was asked.
      const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true, maxAge },
      });
      const claims = tokens.claims();
      if (claims?.email_verified !== true || typeof claims.email !== 'string') return null;
      return { email: claims.email, provedMs: claims.auth_time === undefined ? null : claims.auth_time * 1_000 };
    },
  };
}
