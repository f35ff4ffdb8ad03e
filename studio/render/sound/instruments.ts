import { sampleRate } from '../media/encoder.js';
import type { Random } from '../random.js';
import type { Mix } from './mixer.js';
import { at, bell, cycle, round, type Wavetable, warm } from './tables.js';

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
      (since, length) => Math.min(1, since / attack, (length - since) / release),
    );
  }
}

/** A struck bar: there at once, fading. */
export function playPluck(mix: Mix, note: Note): void {
  voice(
    mix,
    { ...note, seconds: Math.max(note.seconds, 1.1) },
    bell,
    (since, length) => Math.min(1, since / 0.004) * Math.exp(-since * 4.2) * Math.min(1, (length - since) / 0.05),
  );
}

export function playBass(mix: Mix, note: Note): void {
  voice(
    mix,
    note,
    round,
    (since, length) =>
      Math.min(1, since / 0.012) * (0.55 + 0.45 * Math.exp(-since * 5)) * Math.min(1, (length - since) / 0.06),
  );
}

/** A falling tone with a click at its beginning. */
export function playKick(mix: Mix, { start, loudness }: Pick<Note, 'start' | 'loudness'>): void {
  let cycles = 0;
  each(mix, { start, seconds: 0.32 }, (since) => {
    cycles += (44 + 110 * Math.exp(-since * 32)) / sampleRate;
    return loudness * Math.sin(2 * Math.PI * cycles) * Math.exp(-since * 11) * Math.min(1, since / 0.002);
  });
}

/** Filtered noise: short for a hat, longer and lower for a clap. */
export function playNoise(mix: Mix, { start, loudness, seconds, dark }: NoiseHit, random: Random): void {
  let [low, previous] = [0, 0];
  each(mix, { start, seconds }, (since) => {
    const noise = random() * 2 - 1;
    low += (noise - low) * dark;
    const high = low - previous;
    previous = low;
    return loudness * (dark < 1 ? high * 2.4 : noise) * Math.exp((-since * 5.5) / seconds);
  });
}

export interface NoiseHit {
  readonly start: number;
  readonly loudness: number;
  readonly seconds: number;
  /** 1 lets everything through. */
  readonly dark: number;
}

type Envelope = (since: number, length: number) => number;

/** The ear does not follow faster changes of loudness than this. */
const samplesPerGain = 16;

function voice(
  mix: Mix,
  { start, seconds, pitch, loudness, pan = 0 }: Note,
  table: Wavetable,
  envelope: Envelope,
): void {
  const step = Math.round(((440 * 2 ** ((pitch - 69) / 12)) / sampleRate) * cycle);
  const [leftGain, rightGain] = [Math.cos(((pan + 1) * Math.PI) / 4), Math.sin(((pan + 1) * Math.PI) / 4)];
  const { left, right } = mix;
  const first = Math.round(start * sampleRate);
  const end = Math.min(first + Math.round(seconds * sampleRate), left.length);
  const length = (end - first) / sampleRate;
  let phase = 0;
  for (let block = first; block < end; block += samplesPerGain) {
    const gain = loudness * Math.max(0, envelope((block - first) / sampleRate, length));
    for (let index = block; index < block + samplesPerGain && index < end; index++) {
      const value = gain * at(table, phase);
      phase = (phase + step) >>> 0;
      left[index] = (left[index] ?? 0) + value * leftGain;
      right[index] = (right[index] ?? 0) + value * rightGain;
    }
  }
}

function each(
  mix: Mix,
  { start, seconds }: { readonly start: number; readonly seconds: number },
  value: (since: number) => number,
): void {
  const first = Math.round(start * sampleRate);
  const count = Math.min(Math.round(seconds * sampleRate), mix.left.length - first);
  for (let index = 0; index < count; index++) {
    const sample = value(index / sampleRate);
    mix.left[first + index] = (mix.left[first + index] ?? 0) + sample;
    mix.right[first + index] = (mix.right[first + index] ?? 0) + sample;
  }
}
