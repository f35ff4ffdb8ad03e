import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createReportFolder, createReportUpload, writeReport } from '../../reports/report-folder.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-reports-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const kinds = {
  'a folder': () => createReportFolder(folder),
  'reports that are sent on': () => createReportUpload(folder, async () => undefined),
} as const;

test.each(Object.entries(kinds))(
  '%s: what a killed process left is taken away, what another writes stays',
  async (_, open) => {
    const writing = await open().begin('results.csv');
    await writing.write('id\r\n');
    const [own = ''] = await readdir(folder);
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const left = own.replace(`-${process.pid}-`, `-${dead}-`);
    const ofAnother = own.replace(/^\.[^.]+?-(?=\d+-)/, '.another-machine-').replace(`-${process.pid}-`, `-${dead}-`);
    for (const name of [left, ofAnother, '.of-a-person.part']) await writeFile(join(folder, name), 'id\r\n');

    const again = open();
    await writeReport(again, 'certificate.json', '{}\n');
    const named = (await readdir(folder)).filter((name) => name !== 'certificate.json');
    expect(named.toSorted()).toEqual([own, ofAnother, '.of-a-person.part'].toSorted());
    await writing.publish();
    expect(await readdir(folder)).not.toContain(own);
  },
);
