import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { openBundle } from '../../operations/bundle.js';
import { brief, oli, setTheScene, studio } from '../ledger/scene.js';
import { deliveredFilms } from './delivered-films.js';

const exec = promisify(execFile);
const hasOffice = spawnSync('soffice', ['--version']).status === 0;
if (!hasOffice) test.skip('skipped: LibreOffice is not here; Debian has it in libreoffice-calc-nogui');

/** How its dialog opens a CSV file: commas, quotes, UTF-8, English numbers, and formulas are computed. */
const opened = 'CSV:44,34,76,1,,1033,false,true,false,false,false,0,true,false,true';

describe.skipIf(!hasOffice)('LibreOffice', () => {
  let ledger: Ledger;
  let folder: string;
  beforeEach(async () => {
    ledger = await openLedger({ url: 'sqlite::memory:' });
    folder = await mkdtemp(join(tmpdir(), 'greenlight-office-'));
  });
  afterEach(async () => {
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Types a sum below the column, and gives the table as it is computed. */
  async function withSum(csv: string, column: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const [head = [], ...rows] = parse(csv, { bom: true }) as string[][];
    const index = head.indexOf(column);
    const letter = String.fromCharCode('A'.charCodeAt(0) + index);
    const below = head.map((_, at) => (at === index ? `=SUM(${letter}2:${letter}${rows.length + 1})` : ''));
    await mkdir(join(folder, 'computed'));
    await writeFile(join(folder, 'results.csv'), `${csv}${below.join(',')}\r\n`);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const into = ['--convert-to', 'csv', '--outdir', join(folder, 'computed')];
    await exec('soffice', [profile, '--headless', `--infilter=${opened}`, ...into, join(folder, 'results.csv')]);
    return parse(await readFile(join(folder, 'computed', 'results.csv'), 'utf8'), { columns: true, bom: true });
  }

  test('adds up the prices of a bundle, and computes nothing of what a brief says', async () => {
    const scene = setTheScene(ledger);
    const films = deliveredFilms(scene);
    await scene.fund('acme', 1_000_000);
    const rows = [brief('hero'), brief('loop', { prompt: '=1+1, and a runner at dawn' }), brief('lost')];
    const batchId = await scene.make(rows, { amountMinor: 123_450 });
    for (const key of ['hero', 'loop']) await films.deliver(batchId, key);
    const deps = { ledger, service: studio, clock: () => scene.nowMs };
    const bundle = await openBundle(deps, { actor: oli, subject: batchId, files: films, columns: [], prices: true });
    let csv = '';
    for await (const { path, content } of bundle.entries()) {
      if (path === 'results.csv') csv = (await buffer(content)).toString('utf8');
    }
    const seen = await withSum(csv, 'price');
    expect(seen.map(({ price }) => price)).toEqual(['1234.5', '1234.5', '', '2469']);
    expect(seen[1]?.prompt).toContain('=1+1, and a runner at dawn');
  });
});
