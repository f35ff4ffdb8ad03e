import { readConfig } from '../../home/config.js';
import { openDesk } from '../../home/desk.js';
import { freePort } from '../../home/free-port.js';
import { type Installation, openInstallation } from '../../home/installation.js';
import { giveSignInCode } from '../../operations/access/sessions.js';
import { terminalActor } from '../../operations/terminal-actor.js';

/** A desk over a home of its own, and somebody who is signed in. */
export interface Served {
  readonly installation: Installation;
  readonly url: string;
  readonly cookie: string;
  /** Headers of a browser that is at a page of the desk. */
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function serveBench(home: string): Promise<Served> {
  const env = { GREENLIGHT_HOME: home, GREENLIGHT_DESK_LISTEN: `127.0.0.1:${await freePort()}` };
  const installation = await openInstallation(await readConfig({ env, cwd: home, flags: {} }));
  const onFault = (error: unknown) => {
    throw error;
  };
  const desk = await openDesk(installation, { onFault, diagnose: async () => [] });
  const { ledger, clock } = installation;
  const actor = await terminalActor({ ledger, clock }, { token: undefined, loginName: 'bench' });
  const { code } = await giveSignInCode({ ledger, clock }, { name: actor.name, actor });
  const url = desk.publicUrl;
  const own = { origin: url, 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(`${url}/sign-in`, {
    ...{ method: 'POST', redirect: 'manual', headers: own },
    body: new URLSearchParams({ code }),
  });
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  if (answer.status !== 303) throw new Error(`Cannot bench the desk: the sign-in answered ${answer.status}`);
  return {
    ...{ installation, url, cookie, headers: { ...own, cookie } },
    async close() {
      await desk.close();
      await installation.close();
    },
  };
}
