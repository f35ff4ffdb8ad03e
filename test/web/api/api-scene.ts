import { join } from 'node:path';
import type { Role } from '../../../domain/roles.js';
import { addPerson } from '../../../ledger/access/people.js';
import type { ApiDeps } from '../../../web/api/api-deps.js';
import { createApi } from '../../../web/api/create-api.js';
import { noRemoteFiles, type Office, openOffice } from '../../operations/office.js';

/** An office with people in it and the interface that other systems have to it. */
export interface ApiScene extends Office {
  readonly apiDeps: ApiDeps;
  /** By name: `ada` is admin, the others are called by their role. */
  readonly tokens: Readonly<Record<string, string>>;
  call(path: string, options?: CallOptions): Promise<Response>;
}

export interface CallOptions {
  readonly as?: string | null;
  readonly token?: string;
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly type?: string;
}

export const people: Readonly<Record<string, readonly Role[]>> = {
  ada: ['admin'],
  sam: ['submitter'],
  ole: ['submitter'],
  oli: ['operator'],
  fay: ['finance'],
  aud: ['auditor'],
};

export async function openApiScene(): Promise<ApiScene> {
  const office = await openOffice();
  const { deps, scene, folder } = office;
  await scene.fund('acme', 100_000);
  const admin = { name: 'root', roles: ['admin'], channel: 'terminal' } as const;
  const tokens: Record<string, string> = {};
  for (const [name, roles] of Object.entries(people)) {
    tokens[name] = (await addPerson(deps.ledger, { name, roles, actor: admin, nowMs: scene.nowMs })).token;
  }
  const apiDeps: ApiDeps = {
    ...deps,
    remoteFiles: noRemoteFiles,
    uploadsFolder: join(folder, 'uploads'),
    allowPrivateReferences: false,
    seeWorkers: async () => ({ temporal: 'there', workers: 1, trouble: null }),
    onError: (error) => {
      throw error;
    },
  };
  const api = createApi(apiDeps);
  return {
    ...office,
    ...{ apiDeps, tokens },
    async call(path, { as = 'oli', token, method, json, body, type } = {}) {
      const sent = token ?? (as === null ? undefined : tokens[as]);
      const headers = new Headers();
      if (sent !== undefined) headers.set('Authorization', `Bearer ${sent}`);
      if (json !== undefined) headers.set('Content-Type', 'application/json');
      if (type !== undefined) headers.set('Content-Type', type);
      const content = json === undefined ? body : JSON.stringify(json);
      return api.request(`http://desk.test${path}`, {
        headers,
        method: method ?? (content === undefined ? 'GET' : 'POST'),
        ...(content !== undefined && { body: content }),
      });
    },
  };
}

export async function problemOf(response: Response): Promise<string> {
  const { type } = (await response.json()) as { type: string };
  return type.replace('urn:greenlight:problem:', '');
}
