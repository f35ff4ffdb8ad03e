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
    const echoes = combs.map((delay) => new Echo(delay, seconds));
    const [wide, narrow] = smears.map((delay) => new Smear(delay));
    for (let index = 0; index < samples.length; index++) {
      const dry = samples[index] ?? 0;
      let wet = 0;
      for (const echo of echoes) wet += echo.next(dry);
      samples[index] = dry + amount * 0.25 * (narrow?.next(wide?.next(wet) ?? 0) ?? 0);
    }
  }
}

/** Gives back what went in `delay` samples ago, again and again, softer and duller each time. */
class Echo {
  readonly #line: Float32Array;
  readonly #feedback: number;
  #at = 0;
  #damped = 0;

  /** @param seconds until it is a thousandth as loud */
  constructor(delay: number, seconds: number) {
    this.#line = new Float32Array(delay);
    this.#feedback = 10 ** ((-3 * delay) / (seconds * sampleRate));
  }

  next(input: number): number {
    const echo = this.#line[this.#at] ?? 0;
    this.#damped = echo * 0.72 + this.#damped * 0.28;
    this.#line[this.#at] = input + this.#damped * this.#feedback;
    this.#at = this.#at + 1 === this.#line.length ? 0 : this.#at + 1;
    return echo;
  }
}

/** Spreads a sound over time without colouring it. */
class Smear {
  readonly #line: Float32Array;
  #at = 0;

  constructor(delay: number) {
    this.#line = new Float32Array(delay);
  }

  next(input: number): number {
    const delayed = this.#line[this.#at] ?? 0;
    const stored = input + delayed * 0.6;
    this.#line[this.#at] = stored;
    this.#at = this.#at + 1 === this.#line.length ? 0 : this.#at + 1;
    return delayed - stored * 0.6;
  }
}

/** How far the loudest moment goes into the bend of the curve: 0 would only scale. */
const rounding = 1.2;

/** Brings the loudest moment to `peak`, rounding off what would stick out. */
export function master(mix: Mix, peak = 0.7): void {
  const drive = rounding / Math.max(1e-6, loudestOf(mix));
  const scale = peak / bend(rounding);
  for (const side of [mix.left, mix.right]) {
    for (let index = 0; index < side.length; index++) side[index] = scale * bend((side[index] ?? 0) * drive);
  }
}

export function loudestOf({ left, right }: Sound): number {
  let loudest = 0;
  for (const side of [left, right]) {
    for (let index = 0; index < side.length; index++) loudest = Math.max(loudest, Math.abs(side[index] ?? 0));
  }
  return loudest;
}

/** Nearly the hyperbolic tangent, which costs five times as much. */
function bend(value: number): number {
  const square = value * value;
  return (value * (27 + square)) / (27 + 9 * square);
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
