import { describe, expect, test } from 'vitest';
import { type Sound, sampleRate } from '../../../../studio/render/media/encoder.js';
import { musicGrid } from '../../../../studio/render/plan/music-grid.js';
import { soundTrack } from '../../../../studio/render/sound/sound-track.js';
import { expectWhole, loudest, music, seconds } from './whole-music.js';

const rate = sampleRate;

function track(sounds: readonly Sound[], { durationSeconds = 8, silent = false } = {}) {
  const grid = musicGrid(durationSeconds, 0.5);
  // Of a plan the track reads these and nothing else.
  const plan = { durationSeconds, grid, seed: 3, look: { mode: 'major', energy: 0.5 } } as Parameters<
    typeof soundTrack
  >[0];
  return soundTrack(plan, { sounds, silent });
}

/** A tone whose loudness tells where in it we are: 0.1 at its beginning, 0.6 at its end. */
function risingTone(durationSeconds: number): Sound {
  const count = durationSeconds * rate;
  const plane = Float32Array.from({ length: count }, (_, index) => (0.1 + (0.5 * index) / count) * Math.sin(index / 8));
  return { left: plane, right: plane };
}

function tone(durationSeconds: number, loudness: number): Sound {
  const plane = Float32Array.from({ length: durationSeconds * rate }, (_, at) => loudness * Math.sin(at / 8));
  return { left: plane, right: plane };
}

describe('music', { timeout: 60_000 }, () => {
  test('of 5 s is exactly as long, audible, not clipped, and gone at its end', () => expectWhole(5));

  test('its bars end with the film at a tempo that people play', () => {
    for (const durationSeconds of [5, 6, 7, 11, 30, 61, 120]) {
      for (const energy of [0, 0.5, 1]) {
        const { bars, beatSeconds } = musicGrid(durationSeconds, energy);
        expect(bars * 4 * beatSeconds).toBeCloseTo(durationSeconds, 9);
        expect(60 / beatSeconds).toBeGreaterThan(50);
        expect(60 / beatSeconds).toBeLessThan(150);
      }
    }
  });

  test('is the same for the same seed and another for another', () => {
    const [one, again, other] = [1, 1, 2].map((seed) => Buffer.from(music(6, 0.5, seed).left.buffer));
    expect(one?.equals(again ?? Buffer.alloc(0))).toBe(true);
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(false);
  });
});

describe('sound track', () => {
  test('a given track replaces the music, is cut to the film and fades out', () => {
    const { left } = track([risingTone(20)]);
    expect(left.length).toBe(8 * rate);
    expect(loudest(seconds(left, 5, 5.1)) / loudest(seconds(left, 0.1, 0.2))).toBeCloseTo(2.2, 0);
    expect(loudest(left.subarray(-200))).toBeLessThan(0.02);
  });

  test('a track that is too short begins again, without a gap', () => {
    const { left } = track([risingTone(3)]);
    expect(loudest(seconds(left, 3.1, 3.2)) / loudest(seconds(left, 2.45, 2.55))).toBeLessThan(0.6);
    for (let at = 0.1; at < 6.3; at += 0.1) expect(loudest(seconds(left, at, at + 0.1))).toBeGreaterThan(0.03);
  });

  test('several tracks follow one another', () => {
    const [quiet, loud] = [tone(2, 0.02), tone(2, 0.2)];
    const { right } = track([quiet, loud]);
    expect(loudest(seconds(right, 2.4, 2.6)) / loudest(seconds(right, 1, 1.2))).toBeCloseTo(10, 0);
  });

  test('loud tracks on top of each other do not clip', () => {
    const full = { left: new Float32Array(2 * rate).fill(1), right: new Float32Array(2 * rate).fill(1) };
    expect(loudest(track([full]).left)).toBeLessThanOrEqual(0.99);
  });

  test('a silent film is silent', () => {
    expect(loudest(track([risingTone(3)], { silent: true }).left)).toBe(0);
  });
});
