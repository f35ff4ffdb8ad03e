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
    { samples: mix.left, combs: [1_427, 1_637, 1_831, 1_987], smears: [241, 83] },
    { samples: mix.right, combs: [1_453, 1_663, 1_811, 2_029], smears: [251, 79] },
  ];
  for (const { samples, combs, smears } of sides) {
    const wet = new Float32Array(samples.length);
    for (const delay of combs) echo(samples, wet, { delay, feedback: 10 ** ((-3 * delay) / (seconds * sampleRate)) });
    for (const delay of smears) smear(wet, delay);
    for (let index = 0; index < samples.length; index++) {
      samples[index] = (samples[index] ?? 0) + amount * 0.25 * (wet[index] ?? 0);
    }
  }
}

/** How much of its highest tones an echo keeps from one time to the next. */
const brightness = 0.72;

/** Adds to `wet` what went in `delay` samples ago, again and again, softer and duller each time. */
function echo(
  dry: Float32Array,
  wet: Float32Array,
  { delay, feedback }: { readonly delay: number; readonly feedback: number },
): void {
  const line = new Float32Array(delay);
  let [at, damped] = [0, 0];
  for (let index = 0; index < dry.length; index++) {
    const heard = line[at] ?? 0;
    damped = heard * brightness + damped * (1 - brightness);
    line[at] = (dry[index] ?? 0) + damped * feedback;
    at = at + 1 === delay ? 0 : at + 1;
    wet[index] = (wet[index] ?? 0) + heard;
  }
}

/** Spreads a sound over time without colouring it. */
function smear(samples: Float32Array, delay: number): void {
  const line = new Float32Array(delay);
  let at = 0;
  for (let index = 0; index < samples.length; index++) {
    const delayed = line[at] ?? 0;
    const stored = (samples[index] ?? 0) + delayed * 0.6;
    line[at] = stored;
    at = at + 1 === delay ? 0 : at + 1;
    samples[index] = delayed - stored * 0.6;
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
