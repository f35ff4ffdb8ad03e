import { sampleRate } from '../media/encoder.js';
import type { Random } from '../random.js';
import type { Mix } from './mixer.js';
import { bell, read, round, sine, type Wavetable, warm } from './tables.js';

export interface Note {
  readonly start: number;
  readonly seconds: number;
  /** MIDI number: 60 is middle C. */
  readonly pitch: number;
  readonly loudness: number;
  /** -1 left to 1 right. */
  readonly pan?: number;
}

/** Held chords: two voices a hair apart, slow to come and go. */
export function playPad(mix: Mix, note: Note): void {
  const attack = Math.min(0.7, note.seconds * 0.35);
  const release = Math.min(1.1, note.seconds * 0.5);
  for (const [detune, pan] of [
    [-0.06, -0.5],
    [0.06, 0.5],
  ] as const) {
    voice(
      mix,
      {
        ...note,
        pan,
        pitch: note.pitch + detune,
        loudness: note.loudness * 0.5,
        seconds: note.seconds + release * 0.6,
      },
      warm,
      (at, length) => Math.min(1, at / attack, (length - at) / release),
    );
  }
}

/** A struck bar: there at once, fading. */
export function playPluck(mix: Mix, note: Note): void {
  voice(
    mix,
    { ...note, seconds: Math.max(note.seconds, 1.1) },
    bell,
    (at, length) => Math.min(1, at / 0.004) * Math.exp(-at * 4.2) * Math.min(1, (length - at) / 0.05),
  );
}

export function playBass(mix: Mix, note: Note): void {
  voice(
    mix,
    note,
    round,
    (at, length) => Math.min(1, at / 0.012) * (0.55 + 0.45 * Math.exp(-at * 5)) * Math.min(1, (length - at) / 0.06),
  );
}

/** A falling tone with a click at its beginning. */
export function playKick(mix: Mix, { start, loudness }: Pick<Note, 'start' | 'loudness'>): void {
  let phase = 0;
  each(mix, { start, seconds: 0.32 }, (at) => {
    phase += (44 + 110 * Math.exp(-at * 32)) / sampleRate;
    return loudness * read(sine, phase) * Math.exp(-at * 11) * Math.min(1, at / 0.002);
  });
}

/** Filtered noise: short for a hat, longer and lower for a clap. */
export function playNoise(mix: Mix, { start, loudness, seconds, dark }: NoiseHit, random: Random): void {
  let [low, previous] = [0, 0];
  each(mix, { start, seconds }, (at) => {
    const noise = random() * 2 - 1;
    low += (noise - low) * dark;
    const high = low - previous;
    previous = low;
    return loudness * (dark < 1 ? high * 2.4 : noise) * Math.exp((-at * 5.5) / seconds);
  });
}

export interface NoiseHit {
  readonly start: number;
  readonly loudness: number;
  readonly seconds: number;
  /** 1 lets everything through. */
  readonly dark: number;
}

function voice(
  mix: Mix,
  { start, seconds, pitch, loudness, pan = 0 }: Note,
  table: Wavetable,
  envelope: (at: number, length: number) => number,
): void {
  const step = (440 * 2 ** ((pitch - 69) / 12)) / sampleRate;
  const [leftGain, rightGain] = [Math.cos(((pan + 1) * Math.PI) / 4), Math.sin(((pan + 1) * Math.PI) / 4)];
  const first = Math.round(start * sampleRate);
  const count = Math.min(Math.round(seconds * sampleRate), mix.left.length - first);
  const length = count / sampleRate;
  const { left, right } = mix;
  let gain = 0;
  for (let index = 0, phase = 0; index < count; index++, phase += step) {
    // The ear does not follow faster changes of loudness than these 16 samples.
    if ((index & 15) === 0) gain = loudness * Math.max(0, envelope(index / sampleRate, length));
    const value = gain * read(table, phase);
    left[first + index] = (left[first + index] ?? 0) + value * leftGain;
    right[first + index] = (right[first + index] ?? 0) + value * rightGain;
  }
}

function each(
  mix: Mix,
  { start, seconds }: { readonly start: number; readonly seconds: number },
  value: (at: number) => number,
): void {
  const first = Math.round(start * sampleRate);
  const count = Math.min(Math.round(seconds * sampleRate), mix.left.length - first);
  for (let index = 0; index < count; index++) {
    const sample = value(index / sampleRate);
    mix.left[first + index] = (mix.left[first + index] ?? 0) + sample;
    mix.right[first + index] = (mix.right[first + index] ?? 0) + sample;
  }
}
