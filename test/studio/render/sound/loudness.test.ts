import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RenderedFile, renderFilm } from '../../../../studio/render/render.js';
import { level, loudnessOf } from '../../../../studio/render/sound/loudness.js';
import { sampleSound } from '../reference/sample-files.js';

const rate = 48_000;
const sine = (seconds: number, loudness: number, hertz = 997) =>
  Float32Array.from({ length: seconds * rate }, (_, at) => loudness * Math.sin((2 * Math.PI * hertz * at) / rate));
const stereo = (plane: Float32Array) => ({ left: plane, right: plane.slice() });
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

describe('loudness', () => {
  // EBU Tech 3341, tests 1, 2 and 3: a stereo tone of 1 kHz at so many dBFS has as many LUFS; silence does not count.
  test.each([-23, -33, -16])('a tone of %d dBFS has as many LUFS', (db) => {
    expect(loudnessOf(stereo(sine(5, 10 ** (db / 20))))).toBeCloseTo(db, 1);
  });

  test('what is silent or far below the rest does not count', () => {
    const plane = new Float32Array(30 * rate);
    plane.set(sine(10, 10 ** (-23 / 20)));
    plane.set(sine(10, 10 ** (-43 / 20)), 10 * rate);
    expect(loudnessOf(stereo(plane))).toBeCloseTo(-23, 0);
  });

  test.each([
    ['soft', sine(6, 0.002)],
    ['loud', sine(6, 0.99)],
    ['with peaks', sine(6, 0.05).map((sample, at) => (at % 24_000 < 40 ? Math.sign(sample) : sample))],
  ])('a %s sound comes to -16 LUFS, below its ceiling', (_, plane) => {
    const mix = stereo(plane);
    level(mix);
    expect(Math.abs(loudnessOf(mix) + 16)).toBeLessThan(0.5);
    expect(mix.left.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(10 ** (-2 / 20));
  });

  test('silence stays silent', () => {
    const mix = stereo(new Float32Array(rate));
    level(mix);
    expect(mix.left.every((sample) => sample === 0)).toBe(true);
  });
});

describe.skipIf(!hasFfmpeg)('a film as an independent meter hears it', () => {
  test.each([
    ['of music', 'calm', false],
    ['with drums', 'energetic, bold', false],
    ['with a sound of the client', 'calm', true],
  ])('%s: -16 LUFS within 1, true peak at most -1 dB', async (_, style, given) => {
    const outFolder = await mkdtemp(join(tmpdir(), 'loudness-'));
    onTestFinished(() => rm(outFolder, { recursive: true, force: true }));
    const path = join(outFolder, 'given.wav');
    if (given) await writeFile(path, sampleSound(3));
    const reference = { path, mimeType: 'audio/wav', role: 'audio' as const, description: null };
    const [film] = await renderFilm({
      ...{ prompt: 'A fox waits in the forest.', style, durationSeconds: 8, aspectRatio: '16:9' },
      ...{ references: given ? [reference] : [], preset: 'draft', outFolder },
    });
    const { lufs, truePeak } = measured(film);
    expect(Math.abs(lufs + 16)).toBeLessThanOrEqual(1);
    expect(truePeak).toBeLessThanOrEqual(-1);
  });
});

function measured(film: RenderedFile | undefined): { readonly lufs: number; readonly truePeak: number } {
  const args = ['-hide_banner', '-nostats', '-i', film?.path ?? '', '-af', 'ebur128=peak=true', '-f', 'null', '-'];
  const said = spawnSync('ffmpeg', args, { encoding: 'utf8' }).stderr;
  const last = (pattern: RegExp) => Number([...said.matchAll(pattern)].at(-1)?.[1]);
  return { lufs: last(/I:\s+(-?[\d.]+) LUFS/g), truePeak: last(/Peak:\s+(-?[\d.]+) dBFS/g) };
}
