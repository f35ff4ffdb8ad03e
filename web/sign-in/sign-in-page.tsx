import type { Frame } from '../parts/frame.js';
import { Icon } from '../parts/link.js';
import { Brand, GuestPage } from '../parts/page.js';
import { Problem } from '../parts/problem.js';

interface SignInPageProps {
  readonly frame: Frame;
  /** From the address that a terminal printed. It is used up by the button, never by a look at the page. */
  readonly code?: string | undefined;
  /** Where somebody wanted to go. */
  readonly to: string;
  readonly isRefused?: boolean;
  /** Whether people may come by their company, too. */
  readonly company?: boolean;
  /** Somebody who is signed in proves once more who they are. */
  readonly isAgain?: boolean;
}

export function SignInPage(props: SignInPageProps) {
  const { frame, code = '', to, isRefused = false, company = false, isAgain = false } = props;
  const { service, basePath } = frame;
  return (
    <GuestPage frame={frame} title="Sign in" kind="door">
      <main id="main" tabindex={-1}>
        <Brand />
        <div class="card roomy">
          <div>
            <h1>{isAgain ? 'Sign in again' : 'Sign in'}</h1>
            <p class="soft">
              {service.rehearsal ? 'Rehearsal: the studio, no real money' : `Real orders: ${service.name}`}
            </p>
          </div>
          {isRefused && (
            <Problem>This code is not valid, or no longer valid. Ask for another; each works once.</Problem>
          )}
          {company && (
            <>
              <a
                class="b big"
                href={`${basePath}/sign-in/company?to=${encodeURIComponent(to)}${isAgain ? '&again=yes' : ''}`}
              >
                <Icon name="building" />
                Sign in by your company
              </a>
              <p class="or">or</p>
            </>
          )}
          <form class="stack" method="post" action={`${basePath}/sign-in`}>
            <input type="hidden" name="to" value={to} />
            <div class="field">
              <label for="code">One-time code</label>
              <input
                class="in big mono"
                id="code"
                name="code"
                value={code}
                autocomplete="one-time-code"
                autocapitalize="characters"
                placeholder="XXXX-XXXX-XXXX"
                aria-describedby="code-hint"
                required
              />
              <p class="hint" id="code-hint">
                Good once, for 10 minutes. An admin prints one with <code>greenlight people code ana</code>
              </p>
            </div>
            <button class="b go big" type="submit">
              Sign in
            </button>
          </form>
        </div>
      </main>
    </GuestPage>
  );
}
