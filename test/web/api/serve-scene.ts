import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createApi } from '../../../web/api/create-api.js';
import { everybody } from '../../operations/office.js';
import { openApiScene } from './api-scene.js';

/** For tools that ask over HTTP: the interface of an office where something of everything is. Prints where it is. */
const api = await openApiScene();
const { scene, deps } = api;
const sam = { ...everybody, name: 'sam' };
await scene.seal(['a', 'b', 'c'], { campaign: 'waiting', actor: sam });
const making = await scene.make(['a', 'b', 'c'], { campaign: 'making', actor: sam });
await scene.deliver(making, 'a');
await deps.ledger.db
  .updateTable('people')
  .set({ roles: JSON.stringify(everybody.roles) })
  .where('name', '=', 'fay')
  .execute();

const app = new Hono().route('/api/v1', createApi({ ...api.apiDeps, onError: (error) => console.error(error) }));
const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
const server = createServer((request, response) => void listener(request, response));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/api/v1`, token: api.tokens.fay }));
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void api.close();
});
