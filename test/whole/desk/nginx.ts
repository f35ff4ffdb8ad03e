import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = '/usr/sbin/nginx'; // not on everybody's PATH in Debian
const configuration = fileURLToPath(new URL('../../../deploy/nginx/desk.conf', import.meta.url));

/** Why nginx cannot be used here; null where it can. */
export const whyNoNginx = existsSync(program) ? null : 'nginx is not here; Debian has it as nginx-light';

/** The configuration as it is shipped, with ports of this machine and a certificate that nobody knows. */
async function configure(
  folder: string,
  { port, to }: { readonly port: number; readonly to: number },
): Promise<string> {
  const [key, certificate] = [join(folder, 'desk.key'), join(folder, 'desk.crt')];
  const subject = ['-subj', '/CN=desk.example', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await promisify(execFile)('openssl', [...request, ...subject, '-keyout', key, '-out', certificate]);
  const shipped = await readFile(configuration, 'utf8');
  const server = [
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/nginx/desk.crt', certificate],
    ['/etc/nginx/desk.key', key],
    ['http://127.0.0.1:7337', `http://127.0.0.1:${to}`],
  ].reduce((text, [from = '', into = '']) => {
    if (!text.includes(from)) throw new Error(`${configuration} has no "${from}"`);
    return text.replaceAll(from, into);
  }, shipped);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join('\n');
  const path = join(folder, 'nginx.conf');
  await writeFile(
    path,
    `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log stderr;
events {}
http {
access_log off;
${places}
${server}
}
`,
  );
  return path;
}

/** nginx with TLS in front of a port of this machine. */
export async function startNginx(ports: { readonly port: number; readonly to: number }): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-nginx-'));
  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', await configure(folder, ports)]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while (!(await answers(ports.port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${said}`);
    await sleep(20);
  }
  return async () => {
    child.kill('SIGQUIT');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
