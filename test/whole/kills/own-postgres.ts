import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../../with-postgres.sh', import.meta.url));
/** Says where the server is, and keeps it until its standard input ends. */
const stay = 'process.stdout.write(process.env.GREENLIGHT_TEST_POSTGRES_URL ?? "none"); process.stdin.resume()';

/** A PostgreSQL of this test alone, which may be killed; gone after the test. Null where none is installed. */
export async function ownPostgres(): Promise<string | null> {
  // Not in a folder that only this user may enter: the server runs as another.
  const apart = ['GREENLIGHT_TEST_POSTGRES_URL', 'TMPDIR'];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !apart.includes(name)));
  const child = spawn(program, [process.execPath, '-e', stay], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.stdin.end();
    await ended;
  });
  const [said] = (await Promise.race([once(child.stdout, 'data'), ended])) as readonly unknown[];
  if (`${said}` === 'none') return null;
  if (!`${said}`.startsWith('postgres://')) throw new Error(`Cannot start PostgreSQL: ${said}`);
  return `${said}`;
}
