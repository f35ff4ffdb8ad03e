import type { Actor, Role } from '../../../domain/roles.js';
import { addPerson } from '../../../ledger/access/people.js';
import { openLedger } from '../../../ledger/ledger.js';
import { giveSignInCode } from '../../../operations/access/sessions.js';
import { createDesk } from '../../../web/create-desk.js';
import type { DeskDeps } from '../../../web/desk-deps.js';
import { siteAt } from '../../../web/site.js';
import { ada, type Scene, setTheScene, studio } from '../../ledger/scene.js';
import { noRemoteFiles } from '../../operations/office.js';
import { quietParts } from './quiet-parts.js';

/** The desk in process, with a ledger in memory, and browsers that answer as they would. */
export interface TestDesk {
  readonly deps: DeskDeps;
  readonly scene: Scene;
  readonly url: string;
  /** Errors of ours, which nobody should see. */
  readonly faults: readonly unknown[];
  /** Registers somebody; the first one is `ada`, an admin. */
  person(name: string, ...roles: readonly Role[]): Promise<void>;
  /** Signs somebody in, in a browser that may be signed in already. Without a name: whoever works alone. */
  browser(name?: string, at?: Browser): Promise<Browser>;
  /** Nobody is signed in. */
  stranger(): Browser;
  close(): Promise<void>;
}

export interface Browser {
  readonly cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  text(path: string): Promise<string>;
  /** A form of a page of ours, with the token that its page has, and the page that its browser ends at if it is refused. */
  send(path: string, fields?: Record<string, string>, headers?: Record<string, string | null>): Promise<Response>;
  /** The answer to the form itself. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string | null>): Promise<Response>;
  token(): Promise<string>;
  /** A form with files, as it is given. */
  upload(path: string, form: FormData): Promise<Response>;
}

export interface TestDeskOptions {
  readonly publicUrl?: string;
  readonly deps?: Partial<DeskDeps>;
}

export const self: Actor = {
  ...{ name: 'sam', roles: ['submitter', 'operator', 'finance', 'auditor', 'admin'] },
  ...{ channel: 'terminal', alone: true },
};

export async function openDesk({
  publicUrl = 'http://127.0.0.1:7337',
  deps: over,
}: TestDeskOptions = {}): Promise<TestDesk> {
  const ledger = await openLedger({ url: 'sqlite::memory:' });
  const scene = setTheScene(ledger);
  const faults: unknown[] = [];
  const site = siteAt(publicUrl);
  const deps: DeskDeps = {
    ...{ ledger, service: studio, clock: () => scene.nowMs, site },
    ...quietParts,
    onFault: (error) => void faults.push(error),
    ...{ remoteFiles: noRemoteFiles, uploadsFolder: '/nowhere', allowPrivateReferences: false },
    ...over,
  };
  const desk = createDesk(deps);
  const ask = (path: string, init: RequestInit) => desk.request(site.publicUrl + path, init);
  const own = { 'sec-fetch-site': 'same-origin', origin: site.origins[0] ?? '', host: site.hosts[0] ?? '' };
  const browserWith = (cookie: string): Browser => {
    const get: Browser['get'] = (path, headers = {}) =>
      Promise.resolve(ask(path, { headers: { host: own.host, ...(cookie && { cookie }), ...headers } }));
    const token = async () => tokenIn(await (await get('/')).text());
    const end = async (answer: Response) => {
      const kept = keptIn(answer);
      if (!kept) return answer;
      const to = (answer.headers.get('location') ?? '').slice(site.basePath.length);
      return get(to, { cookie: [cookie, kept].filter((one) => one !== '').join('; ') });
    };
    return {
      ...{ cookie, get, token },
      text: async (path) => (await get(path)).text(),
      upload: async (path, form) => end(await ask(path, { method: 'POST', headers: { ...own, cookie }, body: form })),
      async send(path, fields, headers) {
        return end(await this.post(path, fields, headers));
      },
      async post(path, fields = {}, headers = {}) {
        const form = { ...(cookie && { token: await token() }), ...fields };
        const body = Buffer.from(new URLSearchParams(form).toString());
        const about = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
        const given = Object.entries({ ...about, ...own, ...(cookie && { cookie }), ...headers });
        const sent = given.filter((header): header is [string, string] => header[1] !== null);
        return ask(path, { method: 'POST', headers: Object.fromEntries(sent), body });
      },
    };
  };
  let isFirst = true;
  const person: TestDesk['person'] = async (name, ...roles) => {
    const nowMs = scene.nowMs;
    if (isFirst) await addPerson(ledger, { name: 'ada', roles: ['admin'], actor: self, nowMs });
    isFirst = false;
    if (name !== 'ada') await addPerson(ledger, { name, roles, actor: ada, nowMs });
  };
  return {
    ...{ deps, scene, faults, person, url: site.publicUrl },
    stranger: () => browserWith(''),
    async browser(name, at = browserWith('')) {
      const actor = name === undefined ? self : ada;
      const { code } = await giveSignInCode(deps, { name: name ?? self.name, actor });
      const answer = await at.send('/sign-in', { code });
      if (answer.status !== 303) throw new Error(`${name} is not signed in: ${answer.status}`);
      return browserWith((answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '');
    },
    close: () => ledger.close(),
  };
}

/** What a form was answered, on its way to the page that shows it. */
export function keptIn(answer: Response): string | undefined {
  return answer.headers
    .getSetCookie()
    .find((one) => /greenlight-answer/.test(one) && !/Max-Age=0/.test(one))
    ?.split(';')[0];
}

function tokenIn(html: string): string {
  return /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
}
