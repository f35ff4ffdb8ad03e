import type { Mode } from '../look/look.js';
import type { MusicGrid } from '../plan/music-grid.js';
import { pick, type Random, randomFrom } from '../random.js';
import { playBass, playKick, playNoise, playPad, playPluck } from './instruments.js';
import { level } from './loudness.js';
import { fade, type Mix, reverberate, silence } from './mixer.js';

export interface MusicOptions {
  readonly durationSeconds: number;
  readonly grid: MusicGrid;
  readonly mode: Mode;
  readonly energy: number;
  readonly seed: number;
}

const scales: Readonly<Record<Mode, readonly number[]>> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  lydian: [0, 2, 4, 6, 7, 9, 11],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  minor: [0, 2, 3, 5, 7, 8, 10],
};
type Steps = readonly [number, number, number, number];
/** Roots as steps of the scale; all of them lead back to the first. */
const progressions: Readonly<Record<Mode, readonly [Steps, ...Steps[]]>> = {
  major: [
    [0, 4, 5, 3],
    [0, 5, 3, 4],
    [0, 2, 3, 4],
  ],
  lydian: [
    [0, 1, 5, 4],
    [0, 4, 1, 5],
  ],
  dorian: [
    [0, 3, 6, 3],
    [0, 2, 3, 6],
  ],
  minor: [
    [0, 5, 2, 6],
    [0, 3, 5, 4],
    [0, 6, 5, 6],
  ],
};

/** A piece that is exactly as long as the film: it builds up, comes home in its last bar and dies away with it. */
export function composeMusic(options: MusicOptions): Mix {
  const { durationSeconds, grid, energy, seed } = options;
  const random = randomFrom(seed);
  const mix = silence(durationSeconds);
  const progression = pick(random, progressions[options.mode]);
  const tonic = 45 + Math.floor(random() * 7);
  const pattern = arpeggio(random, energy);
  for (let bar = 0; bar < grid.bars; bar++) {
    const last = bar === grid.bars - 1;
    const root = last ? 0 : (progression[bar % 4] ?? 0);
    playBar(mix, {
      ...options,
      bar,
      last,
      random,
      pattern,
      chord: chordOn(root, { tonic, scale: scales[options.mode] }),
    });
  }
  reverberate(mix, { amount: 0.55 - 0.25 * energy, seconds: 2.4 - 1.2 * energy });
  fade(mix, { inSeconds: 0.03, outSeconds: Math.min(grid.beatSeconds * 4, durationSeconds / 3) });
  level(mix);
  return mix;
}

interface Chord {
  readonly root: number;
  readonly notes: readonly number[];
}

function chordOn(step: number, { tonic, scale }: { readonly tonic: number; readonly scale: readonly number[] }): Chord {
  const at = (degree: number) => tonic + (scale[degree % 7] ?? 0) + 12 * Math.floor(degree / 7);
  return { root: at(step), notes: [0, 2, 4, 6].map((third) => at(step + third)) };
}

interface Bar extends MusicOptions {
  readonly bar: number;
  readonly last: boolean;
  readonly random: Random;
  readonly chord: Chord;
  readonly pattern: readonly (number | null)[];
}

/** Parts join one after the other; what stays from the first bar to the last is the pad. */
function playBar(mix: Mix, bar: Bar): void {
  const { grid, chord, energy, last } = bar;
  const start = bar.bar * grid.beatSeconds * 4;
  const progress = grid.bars > 1 ? bar.bar / (grid.bars - 1) : 1;
  const joined = (from: number) => grid.bars < 5 || progress >= from;
  for (const [index, pitch] of chord.notes.slice(0, last ? 3 : 4).entries()) {
    playPad(mix, { start, seconds: grid.beatSeconds * 4, pitch: pitch + 12, loudness: 0.16 - 0.02 * index });
  }
  if (last) {
    playEnding(mix, { ...bar, start });
    return;
  }
  playArpeggio(mix, { ...bar, start });
  if (joined(0.12)) playBassLine(mix, { ...bar, start });
  if (energy > 0.35 && joined(0.24)) playDrums(mix, { ...bar, start, full: joined(0.4) });
}

type StartedBar = Bar & { readonly start: number };

function playEnding(mix: Mix, { grid, chord, start }: StartedBar): void {
  playBass(mix, { start, seconds: grid.beatSeconds * 3, pitch: chord.root - 12, loudness: 0.34 });
  for (const [index, pitch] of [...chord.notes.slice(0, 3), chord.root + 12].entries()) {
    playPluck(mix, {
      start: start + (index * grid.beatSeconds) / 4,
      seconds: 1.6,
      pitch: pitch + 24,
      loudness: 0.22,
      pan: (index - 1.5) / 3,
    });
  }
}

/** Which notes of the chord a bar picks, over eighths or sixteenths; null rests. */
function arpeggio(random: Random, energy: number): readonly (number | null)[] {
  const count = energy > 0.6 ? 16 : 8;
  const order = pick(random, [
    [0, 1, 2, 3, 2, 1, 2, 3],
    [0, 2, 1, 3, 0, 2, 3, 1],
    [3, 2, 1, 0, 1, 2, 3, 2],
  ]);
  const restShare = 0.42 - 0.3 * energy;
  return Array.from({ length: count }, (_, index) =>
    index > 0 && random() < restShare ? null : (order[index % 8] ?? 0),
  );
}

function playArpeggio(mix: Mix, { grid, chord, pattern, start, energy }: StartedBar): void {
  const step = (grid.beatSeconds * 4) / pattern.length;
  for (const [index, note] of pattern.entries()) {
    const pitch = note === null ? undefined : chord.notes[note];
    if (pitch === undefined) continue;
    const accent = index % 4 === 0 ? 1 : 0.68;
    playPluck(mix, {
      start: start + index * step,
      seconds: step * 2,
      pitch: pitch + 24,
      loudness: (0.15 + 0.05 * energy) * accent,
      pan: index % 2 === 0 ? -0.4 : 0.4,
    });
  }
}

function playBassLine(mix: Mix, { grid, chord, start, energy }: StartedBar): void {
  const beats = energy > 0.6 ? [0, 0.5, 1.5, 2, 2.5, 3.5] : energy > 0.3 ? [0, 1.5, 2] : [0];
  for (const [index, beat] of beats.entries()) {
    const until = beats[index + 1] ?? 4;
    playBass(mix, {
      start: start + beat * grid.beatSeconds,
      seconds: (until - beat) * grid.beatSeconds * 0.92,
      pitch: chord.root - 12,
      loudness: 0.3,
    });
  }
}

function playDrums(mix: Mix, { grid, start, energy, random, full }: StartedBar & { readonly full: boolean }): void {
  const at = (beat: number) => start + beat * grid.beatSeconds;
  for (const beat of energy > 0.6 ? [0, 1, 2, 3] : [0, 2]) playKick(mix, { start: at(beat), loudness: 0.5 });
  if (!full) return;
  for (const beat of [0.5, 1.5, 2.5, 3.5])
    playNoise(mix, { start: at(beat), loudness: 0.05 + 0.05 * energy, seconds: 0.06, dark: 1 }, random);
  if (energy > 0.5)
    for (const beat of [1, 3]) playNoise(mix, { start: at(beat), loudness: 0.26, seconds: 0.16, dark: 0.42 }, random);
}
