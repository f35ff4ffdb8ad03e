import { type Sound, sampleRate } from '../media/encoder.js';

/** Two channels that instruments add to. */
export interface Mix extends Sound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export function silence(durationSeconds: number): Mix {
  const samples = Math.round(durationSeconds * sampleRate);
  return { left: new Float32Array(samples), right: new Float32Array(samples) };
}

/** A room: four echoes a side that feed themselves, smeared twice (after Manfred Schroeder). Adds to the mix. */
export function reverberate(
  mix: Mix,
  { amount, seconds }: { readonly amount: number; readonly seconds: number },
): void {
  const sides = [
    { samples: mix.left, combs: [1_427, 1_637, 1_831, 1_987], allpasses: [241, 83] },
    { samples: mix.right, combs: [1_453, 1_663, 1_811, 2_029], allpasses: [251, 79] },
  ];
  for (const { samples, combs, allpasses } of sides) {
    const wet = new Float32Array(samples.length);
    for (const delay of combs) addComb(samples, wet, { delay, seconds });
    for (const delay of allpasses) smear(wet, delay);
    for (let index = 0; index < samples.length; index++) {
      samples[index] = (samples[index] ?? 0) + amount * 0.25 * (wet[index] ?? 0);
    }
  }
}

function addComb(
  dry: Float32Array,
  wet: Float32Array,
  { delay, seconds }: { readonly delay: number; readonly seconds: number },
): void {
  const line = new Float32Array(delay);
  const feedback = 10 ** ((-3 * delay) / (seconds * sampleRate));
  let damped = 0;
  for (let index = 0, at = 0; index < dry.length; index++, at = at + 1 === delay ? 0 : at + 1) {
    const echo = line[at] ?? 0;
    damped = echo * 0.72 + damped * 0.28;
    line[at] = (dry[index] ?? 0) + damped * feedback;
    wet[index] = (wet[index] ?? 0) + echo;
  }
}

function smear(samples: Float32Array, delay: number): void {
  const line = new Float32Array(delay);
  for (let index = 0, at = 0; index < samples.length; index++, at = at + 1 === delay ? 0 : at + 1) {
    const delayed = line[at] ?? 0;
    const input = (samples[index] ?? 0) + delayed * 0.6;
    line[at] = input;
    samples[index] = delayed - input * 0.6;
  }
}

/** How far the loudest moment goes into the bend of the curve: 0 would only scale. */
const rounding = 1.2;

/** Brings the loudest moment to `peak`, rounding off what would stick out. */
export function master(mix: Mix, peak = 0.7): void {
  let loudest = 1e-6;
  for (const side of [mix.left, mix.right]) for (const sample of side) loudest = Math.max(loudest, Math.abs(sample));
  const drive = rounding / loudest;
  for (const side of [mix.left, mix.right]) {
    for (let index = 0; index < side.length; index++)
      side[index] = (peak * Math.tanh((side[index] ?? 0) * drive)) / Math.tanh(rounding);
  }
}

/** Comes in without a click and is gone at the last sample. */
export function fade(
  mix: Mix,
  { inSeconds, outSeconds }: { readonly inSeconds: number; readonly outSeconds: number },
): void {
  for (const side of [mix.left, mix.right]) {
    const [rise, fall] = [inSeconds * sampleRate, outSeconds * sampleRate];
    for (let index = 0; index < rise && index < side.length; index++) side[index] = (side[index] ?? 0) * (index / rise);
    for (let left = 0; left < fall && left < side.length; left++) {
      const index = side.length - 1 - left;
      side[index] = (side[index] ?? 0) * Math.sin((Math.PI / 2) * (left / fall)) ** 2;
    }
  }
}
