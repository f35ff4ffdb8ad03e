import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Home, makeHome, threeBriefs } from './home.js';

/*
 * A sheet that is published at an address, by a real server with a certificate of its own. Google itself is out of
 * reach of a test: how its addresses become downloads is tested by their form, in test/cli/manifest/fetch-sheet.test.ts.
 */
const certificate = fileURLToPath(new URL('../fixtures/tls/cert.pem', import.meta.url));
const trusting = { NODE_EXTRA_CA_CERTS: certificate };

const signIn = '<!doctype html><html><title>Sign in</title><form action="/login">Sign in to continue</form></html>';

function* megabytes(count: number): Generator<Buffer> {
  for (let sent = 0; sent < count; sent += 1) yield Buffer.alloc(1024 * 1024, 'x');
}

let server: Server;
let base: string;
let home: Home;
beforeEach(async () => {
  const key = await readFile(certificate.replace('cert.pem', 'key.pem'));
  server = createServer({ key, cert: await readFile(certificate) }, ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'https://server');
    if (pathname === '/moved') return void response.writeHead(302, { location: `${base}/spring` }).end();
    if (pathname === '/plain') return void response.writeHead(302, { location: 'http://127.0.0.1/spring' }).end();
    if (pathname === '/private') return void response.writeHead(403, { 'content-type': 'text/html' }).end(signIn);
    if (pathname === '/page') return void response.writeHead(200, { 'content-type': 'text/html' }).end(signIn);
    if (pathname === '/to-page') return void response.writeHead(302, { location: `${base}/page` }).end();
    if (pathname === '/cut') {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '1000' });
      return void response.write('id,prompt\n', () => response.destroy());
    }
    if (pathname === '/large') {
      response.writeHead(200, { 'content-type': 'text/csv' });
      return void pipeline(Readable.from(megabytes(70)), response).catch(() => undefined); // it hangs up before the end
    }
    if (pathname !== '/spring') return void response.writeHead(404).end();
    const names = { 'content-disposition': 'attachment; filename="Spring 26.csv"' };
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8', ...names }).end(threeBriefs);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`; // of a TCP server always an object
  home = await makeHome();
  await writeFile(join(home.folder, 'greenlight.config.yaml'), 'allowPrivateReferences: true\n');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const check = (path: string, env = {}) => home.run(['check', `${base}${path}`], env);

test('is read from its address, and by a redirect to another one', async () => {
  for (const path of ['/spring?sig=words', '/moved']) {
    const { code, stdout, stderr } = await check(path, trusting);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('3 rows');
    expect(stdout).toContain('3 movies');
  }
});

test('is refused with what would be right', async () => {
  const refusals = [
    [await check('/spring'), 4, /its certificate is not trusted \(\w+\); NODE_EXTRA_CA_CERTS names a file/],
    [await check('/nothing', trusting), 2, /the answer is 404/],
    [await check('/plain', trusting), 2, /it leads to 127\.0\.0\.1, which is not followed/],
    [await check('/private', trusting), 2, /it is not shared; use an address that opens without signing in/],
    [await check('/page', trusting), 2, /it is a sign-in page, not the sheet; sign in and download it/],
    [await check('/to-page', trusting), 2, /it is a sign-in page, not the sheet; sign in and download it/],
    [await check('/cut', trusting), 4, /the connection broke off \(\w+\); try again/],
    [await check('/large', trusting), 4, /it is larger than 64 MiB/],
  ] as const;
  for (const [{ code, stderr }, right, words] of refusals) {
    expect(stderr.replace(/\s+/g, ' ')).toMatch(words);
    expect(code, stderr).toBe(right);
  }
});
