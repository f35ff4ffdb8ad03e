import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createArchiveMarks } from '../../archive/archive-marks.js';
import { createFileNotes } from '../../archive/folder/file-notes.js';
import { createFileStore } from '../../archive/folder/file-store.js';

const service = { name: 'studio', baseUrl: 'embedded' };
const createFileMarks = (folder: string) => createArchiveMarks(createFileNotes(folder));
const mark = { ledgerId: 'one', sequence: 7, service };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-marks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('marks of ledgers in an archive', () => {
  test('are one for each ledger and service, the last that was written', async () => {
    const marks = createFileMarks(folder);
    await marks.write(mark);
    await marks.write({ ...mark, sequence: 8, sends: 3 });
    await marks.write({ ...mark, ledgerId: 'two' });
    await marks.write({ ...mark, service: { ...service, name: 'other' } });
    const found = await createFileMarks(folder).list();
    expect(found).toHaveLength(3);
    expect(found).toContainEqual({ ...mark, sequence: 8, sends: 3 });
    await marks.remove(mark);
    expect(await marks.list()).not.toContainEqual({ ...mark, sequence: 8, sends: 3 });
    expect(await marks.list()).toHaveLength(2);
  });

  test('written side by side are whole, and leave nothing else behind', async () => {
    const marks = createFileMarks(folder);
    await Promise.all(Array.from({ length: 20 }, (_, sequence) => marks.write({ ...mark, sequence })));
    expect(await marks.list()).toMatchObject([{ ledgerId: 'one' }]);
    expect(await readdir(join(folder, '.ledgers'))).toHaveLength(1);
  });

  test('are no part of what the archive lists, and none are made by looking', async () => {
    const marks = createFileMarks(join(folder, 'not-there'));
    expect(await marks.list()).toEqual([]);
    await marks.remove(mark);
    expect(await readdir(folder)).toEqual([]);
    const inBatch = createFileMarks(join(folder, 'spring-1'));
    await inBatch.write(mark);
    expect(await (await createFileStore(folder)).list('spring-1')).toEqual([]);
  });

  test('that are none are not taken for a good archive', async () => {
    const marks = createFileMarks(folder);
    await marks.write(mark);
    await writeFile(join(folder, '.ledgers', 'torn.json'), '{"ledger_id": "o');
    await expect(marks.list()).rejects.toThrow(/Cannot read \.ledgers\/torn\.json of the archive/);
  });
});
