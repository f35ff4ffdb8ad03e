import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChildFailure, runInChild } from '../../../studio/render/child-process.js';
import type { FilmSpec } from '../../../studio/render/render.js';

describe('child process', { timeout: 120_000 }, () => {
  let outFolder: string;
  beforeEach(async () => {
    outFolder = await mkdtemp(join(tmpdir(), 'child-'));
  });
  afterEach(() => rm(outFolder, { recursive: true }));

  const spec = (): FilmSpec => ({
    prompt: 'A film that nobody waits for.',
    durationSeconds: 120,
    aspectRatio: '16:9',
    style: null,
    references: [],
    preset: 'film',
    outFolder,
  });

  test('that gives no sign of life is ended', async () => {
    const silent = runInChild({ kind: 'film', spec: spec() }, { silenceMs: 1 });
    await expect(silent).rejects.toThrow('Cannot render: the renderer gave no sign of life for 0.001 s');
  });

  test.skipIf(process.platform !== 'linux')('that takes more memory than it may is ended, and it is said', async () => {
    const greedy = runInChild({ kind: 'film', spec: spec() }, { maxMegabytes: 30 });
    await expect(greedy).rejects.toThrow(
      new ChildFailure('OutOfMemory', 'Cannot render: the film takes more than 30 MB of memory'),
    );
  });

  test.skipIf(process.platform !== 'linux')(
    'that is aborted is gone when the promise settles, and saw no secrets',
    async () => {
      const abort = new AbortController();
      const before = childrenOfThisThread();
      let started: readonly number[] = [];
      let surroundings = '';
      process.env.GREENLIGHT_TEST_SECRET = 'hush';
      const film = runInChild(
        { kind: 'film', spec: spec() },
        {
          signal: abort.signal,
          onProgress: () => {
            if (abort.signal.aborted) return;
            started = childrenOfThisThread().filter((pid) => !before.includes(pid));
            surroundings = readFileSync(`/proc/${started[0]}/environ`, 'utf8');
            abort.abort(new Error('enough'));
          },
        },
      );
      delete process.env.GREENLIGHT_TEST_SECRET;
      await expect(film).rejects.toThrow('enough');
      expect(started).toHaveLength(1);
      expect(childrenOfThisThread()).not.toContain(started[0]);
      expect(surroundings).toContain('PATH=');
      expect(surroundings).not.toContain('hush');
    },
  );

  test('that cannot do what it is asked says why', async () => {
    const missing = join(outFolder, 'missing.mp4');
    const probe = runInChild({ kind: 'probe', path: missing, mimeType: 'video/mp4' });
    await expect(probe).rejects.toThrow(ChildFailure);
    await expect(runInChild({ kind: 'probe', path: missing, mimeType: 'application/pdf' })).rejects.toThrow(/ENOENT/);
  });
});

/** Other files of tests run in other threads of the same process. */
function childrenOfThisThread(): readonly number[] {
  return readFileSync('/proc/thread-self/children', 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
