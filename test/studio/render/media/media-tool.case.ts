import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EncoderOptions, sampleRate } from '../../../../studio/render/media/encoder.js';
import type { MediaTool, Still } from '../../../../studio/render/media/media-tool.js';
import { probeFilm } from '../probe-film.js';
import { sampleSound } from '../reference/sample-files.js';

const colours = ['#472278', '#e03020', '#20a040', '#e0c020', '#f4e9d0', '#101014'];
const size = { width: 320, height: 180, framesPerSecond: 10 };

/** What every tool must do. `reader` decodes what `tool` made: another one where there is another one. */
export function mediaToolSuite(tool: MediaTool, reader: MediaTool): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** One second of each colour, and a rising tone. */
  async function encode(name: string, change: Partial<EncoderOptions> = {}): Promise<string> {
    const path = join(folder, name);
    const tone = Float32Array.from({ length: colours.length * sampleRate }, (_, index) => 0.5 * Math.sin(index / 20));
    const encoder = await tool.openEncoder({
      ...size,
      path,
      sound: { left: tone, right: tone },
      speed: 'veryfast',
      rateFactor: 21,
      soundBitRate: 96_000,
      tags: { title: 'Six colours', comment: 'Made by a test' },
      ...change,
    });
    const canvas = createCanvas(size.width, size.height);
    const context = canvas.getContext('2d');
    for (let frame = 0; frame < colours.length * size.framesPerSecond; frame++) {
      context.fillStyle = colours[Math.floor(frame / size.framesPerSecond)] ?? '#000000';
      context.fillRect(0, 0, size.width, size.height);
      await encoder.frame(canvas.data());
    }
    await encoder.finish();
    return path;
  }

  test('a film is complete, tagged BT.709, and as long as its frames', async () => {
    const facts = await probeFilm(await encode('facts.mp4'));
    expect(facts).toMatchObject({
      ...{ width: 320, height: 180, videoCodec: 'avc', audioCodec: 'aac', channels: 2, sampleRate: 48_000 },
      ...{ durationSeconds: 6, videoSeconds: 6, audioSeconds: 6, frames: 60 },
      colour: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
      tags: { title: 'Six colours', comment: 'Made by a test' },
    });
  });

  test('colours come back within four levels, and stills are of the moment that was asked for', async () => {
    const path = await encode('colours.mp4');
    const moments = colours.map((_, index) => index + 0.5);
    const stills = await reader.readStills({ path, demuxer: 'mov' }, { moments, largestSide: 160 });
    for (const [index, still] of stills.entries()) {
      const drawn = [1, 3, 5].map((at) => Number.parseInt(colours[index]?.slice(at, at + 2) ?? '', 16));
      for (const [channel, value] of middleOf(still).entries()) {
        expect(Math.abs(value - (drawn[channel] ?? 0)), `${colours[index]} channel ${channel}`).toBeLessThanOrEqual(4);
      }
      expect([still.width, still.height]).toEqual([160, 90]);
    }
    expect(stills).toHaveLength(colours.length);
  });

  test('the same frames give the same bytes', async () => {
    const [one, two] = [await readFile(await encode('one.mp4')), await readFile(await encode('two.mp4'))];
    expect(one.equals(two)).toBe(true);
  });

  test('a sound is read in stereo at the rate of films, no longer than asked', async () => {
    const path = join(folder, 'tone.wav');
    await writeFile(path, sampleSound(3));
    const { left, right } = await tool.readSound({ path, demuxer: 'wav' }, { maxSeconds: 2 });
    expect([left.length, right.length]).toEqual([2 * sampleRate, 2 * sampleRate]);
    const crossings = left
      .subarray(0, sampleRate)
      .filter((value, index, all) => index > 0 && value >= 0 && (all[index - 1] ?? 0) < 0);
    expect(crossings.length).toBeGreaterThan(435);
    expect(crossings.length).toBeLessThan(445);
    const whole = await tool.readSound({ path, demuxer: 'wav' }, { maxSeconds: 60 });
    expect(whole.left.length / sampleRate).toBeCloseTo(3, 1);
  });

  test('a file is only opened as what it was found to be', async () => {
    const path = join(folder, 'list.mp4');
    await writeFile(path, `#EXTM3U\n#EXTINF:5,\n${await encode('target.mp4')}\n`);
    await expect(tool.readStills({ path, demuxer: 'mov' }, { moments: [1], largestSide: 100 })).rejects.toThrow();
  });

  test('an encoder that cannot write says so', async () => {
    await expect(encode('missing/film.mp4')).rejects.toThrow(/Cannot|No such file|ENOENT/);
  });
}

function middleOf({ width, height, rgba }: Still): readonly number[] {
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return [...rgba.subarray(at, at + 3)];
}
