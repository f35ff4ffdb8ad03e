import { access, cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type S3Server, startS3Server, whyNoServer } from '../archive/s3/s3-server.js';
import { brokenPromises } from '../oracle.js';
import { type Environment, type Home, makeHome, threeBriefs, tomorrow } from './home.js';

const why = whyNoServer('versitygw');
if (why !== null) test.skip(`skipped: ${why}`);

interface Place {
  readonly home: Home;
  readonly server: S3Server;
  readonly env: Environment;
  run(...args: readonly string[]): ReturnType<Home['run']>;
}

async function place(): Promise<Place> {
  const server = await startS3Server('versitygw');
  onTestFinished(() => server.stop());
  const home = await makeHome();
  const env = { ...server.env, GREENLIGHT_ARCHIVE_URL: 's3://movies/acme' };
  return { home, server, env, run: (...args) => home.run(args, env) };
}

async function promisesKept({ home, server }: Place): Promise<void> {
  const archiveFolder = join(server.folder, 'acme');
  expect(await brokenPromises({ ledger: await home.ledger(), books: await home.books(), archiveFolder })).toEqual([]);
}

describe.skipIf(why !== null)('an archive in a bucket', () => {
  test('has the movies, the reports and the marks; verify and audit read it', async () => {
    const there = await place();
    const { home, server, run } = there;
    const made = await run('run', await home.sheet(threeBriefs), '--budget', '10USD', '--yes');
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toContain('files s3://movies/acme/sheet-1 (gallery.html, results.csv, certificate.json)');
    await promisesKept(there);
    const verified = await run('verify', 'sheet-1');
    expect([verified.code, verified.stdout]).toEqual([0, 'sheet-1  checksums verified: 12\n']);
    for (const address of ['s3://movies/acme/sheet-1', 's3://movies/acme']) {
      const { code, stdout } = await run('verify', address);
      expect([code, stdout]).toEqual([0, `${address}  checksums verified: 12\n`]);
    }
    const audit = await run('audit', 'verify');
    expect(audit.code, audit.stdout).toBe(0);
    expect(audit.stdout).toContain('compared with 1 mark and 1 certificate of the archive');

    const out = join(home.folder, 'team');
    const results = await run('results', 'sheet-1', '--out', out, '--links', 'presigned=1h');
    expect(results.code, results.stderr).toBe(0);
    const line = (await readFile(join(out, 'results.jsonl'), 'utf8')).split('\n')[0] ?? '';
    const { files } = JSON.parse(line) as { readonly files: readonly { url: string; size_bytes: number }[] };
    const film = await fetch(files[0]?.url ?? '');
    expect((await film.arrayBuffer()).byteLength).toBe(files[0]?.size_bytes);

    await server.s3.putObject({ Bucket: 'movies', Key: 'acme/sheet-1/ferry/final.mp4', Body: 'another film' });
    const changed = await run('verify', 'sheet-1');
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatch(/^sheet-1\/ferry\/final\.mp4 {2}is \w{12}, was \w{12}$/m);
    await server.s3.deleteObject({ Bucket: 'movies', Key: 'acme/sheet-1/harbour/final.mp4' });
    await server.s3.deleteObject({ Bucket: 'movies', Key: 'acme/sheet-1/lighthouse/movie.json' });
    const inBucket = await run('verify', 's3://movies/acme');
    expect(inBucket.code).toBe(1);
    for (const words of [
      'ferry/final.mp4  is ',
      'harbour/final.mp4  is missing',
      'lighthouse/movie.json  is missing',
    ]) {
      expect(inBucket.stdout).toContain(`sheet-1/${words}`);
    }
  });

  test('killed while files are saved, the same command goes on: each movie once, nothing left over', async () => {
    const there = await place();
    const { home, server, env, run } = there;
    const sheet = await home.sheet(threeBriefs);
    const command = ['run', sheet, '--budget', '10USD', '--yes'];
    const first = home.start(command, env);
    await home.until(first, ({ rows }) => (rows.archiving ?? 0) + (rows.delivered ?? 0) > 0);
    first.signal('SIGKILL');
    await first.ended;
    const again = await run(...command);
    expect(again.code, again.stderr).toBe(0);
    await promisesKept(there);
    const { Uploads = [] } = await server.s3.listMultipartUploads({ Bucket: 'movies' });
    expect(Uploads).toEqual([]);
  });

  test('an old batch goes into the bucket and comes back; a kill in between loses nothing', async () => {
    const there = await place();
    const { home, server, env, run } = there;
    const made = await run('run', await home.sheet(threeBriefs), '--budget', '10USD', '--yes');
    expect(made.code, made.stderr).toBe(0);
    const archive = ['archive-batches', '--before', tomorrow()];
    const killed = home.start(archive, env);
    const kept = join(server.folder, 'acme', 'ledger', 'sheet-1');
    await vi.waitFor(() => access(kept), { timeout: 60_000, interval: 2 });
    killed.signal('SIGKILL');
    await killed.ended;
    const again = await run(...archive);
    expect(again.code, again.stderr).toBe(0);
    const { Contents = [] } = await server.s3.listObjectsV2({ Bucket: 'movies', Prefix: 'acme/ledger/sheet-1/' });
    expect(Contents).toHaveLength(1);
    const { Uploads = [] } = await server.s3.listMultipartUploads({ Bucket: 'movies' });
    expect(Uploads).toEqual([]);

    expect((await run('status', 'sheet-1')).stdout).toMatch(/3 of 3 rows delivered; archived /);
    const verified = await run('verify', 'sheet-1');
    expect([verified.code, verified.stdout]).toEqual([0, 'sheet-1  checksums verified: 12\n']);
    const audit = await run('audit', 'verify');
    expect(audit.code, audit.stdout).toBe(0);

    const [{ Key = '' } = {}] = Contents;
    const whole = await server.s3.getObject({ Bucket: 'movies', Key });
    const bytes = (await whole.Body?.transformToByteArray()) ?? new Uint8Array();
    await server.s3.putObject({ Bucket: 'movies', Key, Body: bytes.toReversed() });
    const changed = await run('archive-batches', '--restore', 'sheet-1');
    expect([changed.code, changed.stderr]).toEqual([3, expect.stringContaining('is not the one that was written')]);
    expect((await run('status', 'sheet-1')).stdout).toMatch(/; archived /);
    await server.s3.putObject({ Bucket: 'movies', Key, Body: bytes });
    const back = await run('archive-batches', '--restore', 'sheet-1');
    expect(back.code, back.stderr).toBe(0);
    expect((await run('show', 'sheet-1', 'ferry')).stdout).toContain('A night ferry leaves');
    await promisesKept(there);
  });

  test('a ledger that was restored orders nothing; the bucket says which movies it lacks', async () => {
    const { home, run } = await place();
    const backup = join(home.folder, 'backup');
    const first = await run(
      'run',
      await home.sheet(threeBriefs.split('\n').slice(0, 2).join('\n')),
      '--budget',
      '10USD',
      '--yes',
    );
    expect(first.code, first.stderr).toBe(0);
    await copyLedger(home.home, backup);
    const second = await run('run', await home.sheet(threeBriefs), '--yes');
    expect(second.code, second.stderr).toBe(0);
    await copyLedger(backup, home.home);

    const refused = await run('run', join(home.folder, 'sheet.csv'), '--yes');
    expect(refused.code).toBe(3);
    const compared = await run('reconcile', 'restored');
    expect(compared.stdout).toMatch(/in the archive and not in the ledger:\n +sheet-2 +ferry .*\n +sheet-2 +harbour /);
    const lifted = await run('reconcile', 'restored', '--reason', 'two movies are known');
    expect(lifted.code, lifted.stderr).toBe(0);
    expect((await run('reconcile', 'restored')).stdout).toContain('Nothing is blocked');
  });
});

/** The database and the files beside it, as an operator copies them while nothing runs. */
async function copyLedger(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const isLedger = (name: string) => name.startsWith('ledger.db');
  for (const name of (await readdir(to)).filter(isLedger)) await rm(join(to, name));
  for (const name of (await readdir(from)).filter(isLedger)) await cp(join(from, name), join(to, name));
}
