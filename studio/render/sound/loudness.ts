import { type Sound, sampleRate } from '../media/encoder.js';

/** What streaming services and broadcasters of speech on phones ask for. */
const targetLufs = -16;
/** Between the samples, and after AAC, a wave may stand up to a decibel higher: the true peak stays below -1 dB. */
const ceiling = 10 ** (-2.2 / 20);
/** More would only make noise of what was meant to be silent. */
const maxGainDb = 40;
const limiterSamples = Math.round(0.02 * sampleRate);

/** Brings a sound to -16 LUFS in place. Peaks are turned down smoothly for a moment, not cut. */
export function level(mix: Sound): void {
  for (let turn = 0; turn < 4; turn++) {
    const missingDb = targetLufs - loudnessOf(mix);
    if (!Number.isFinite(missingDb) || (turn > 0 && Math.abs(missingDb) < 0.1)) return;
    amplify(mix, 10 ** (Math.min(missingDb, maxGainDb) / 20));
    limit(mix);
  }
}

function amplify({ left, right }: Sound, gain: number): void {
  for (const side of [left, right]) for (let at = 0; at < side.length; at++) side[at] = (side[at] ?? 0) * gain;
}

/** The gain of a sample is the mean of what the samples around it allow at most: no peak is above the ceiling. */
function limit({ left, right }: Sound): void {
  const allowed = new Float32Array(left.length);
  for (let at = 0; at < left.length; at++) {
    const peak = Math.max(Math.abs(left[at] ?? 0), Math.abs(right[at] ?? 0));
    allowed[at] = peak > ceiling ? ceiling / peak : 1;
  }
  const least = leastAhead(allowed, limiterSamples);
  const before = least[0] ?? 1;
  let sum = limiterSamples * before;
  for (let at = 0; at < left.length; at++) {
    sum += (least[at] ?? 1) - (at >= limiterSamples ? (least[at - limiterSamples] ?? 1) : before);
    const gain = sum / limiterSamples;
    left[at] = (left[at] ?? 0) * gain;
    right[at] = (right[at] ?? 0) * gain;
  }
}

/** The least of each value and the `count - 1` after it. */
function leastAhead(values: Float32Array, count: number): Float32Array {
  const least = new Float32Array(values.length);
  const waiting = new Int32Array(values.length);
  let [first, end] = [0, 0];
  for (let at = values.length - 1; at >= 0; at--) {
    while (end > first && (values[waiting[end - 1] ?? 0] ?? 0) >= (values[at] ?? 0)) end--;
    waiting[end++] = at;
    if ((waiting[first] ?? 0) >= at + count) first++;
    least[at] = values[waiting[first] ?? 0] ?? 1;
  }
  return least;
}

const blockSeconds = 0.4;
const stepsPerBlock = 4;

/** Integrated loudness in LUFS (ITU-R BS.1770-4): weighted as the ear hears, without what is silent. */
export function loudnessOf({ left, right }: Sound): number {
  const steps = [left, right].map(stepEnergies);
  const blocks: number[] = [];
  for (let first = 0; first + stepsPerBlock <= (steps[0]?.length ?? 0); first++) {
    let energy = 0;
    for (const side of steps) for (let step = 0; step < stepsPerBlock; step++) energy += side[first + step] ?? 0;
    blocks.push(energy / stepsPerBlock);
  }
  const heard = blocks.filter((energy) => lufs(energy) > -70);
  const gate = lufs(mean(heard)) - 10;
  return lufs(mean(heard.filter((energy) => lufs(energy) > gate)));
}

/** Mean square of each tenth of a second after the two filters of K-weighting, at 48 kHz. */
function stepEnergies(samples: Float32Array): number[] {
  const length = (sampleRate * blockSeconds) / stepsPerBlock;
  const shelf = filter([1.53512485958697, -2.69169618940638, 1.19839281085285], [-1.69065929318241, 0.73248077421585]);
  const highPass = filter([1, -2, 1], [-1.99004745483398, 0.99007225036621]);
  const energies: number[] = [];
  let sum = 0;
  for (let at = 0; at < samples.length; at++) {
    sum += highPass(shelf(samples[at] ?? 0)) ** 2;
    if ((at + 1) % length === 0) {
      energies.push(sum / length);
      sum = 0;
    }
  }
  return energies;
}

type Coefficients = readonly [number, number, number];

function filter([b0, b1, b2]: Coefficients, [a1, a2]: readonly [number, number]): (sample: number) => number {
  let [first, second] = [0, 0];
  return (sample) => {
    const out = b0 * sample + first;
    first = b1 * sample - a1 * out + second;
    second = b2 * sample - a2 * out;
    return out;
  };
}

function lufs(energy: number): number {
  return -0.691 + 10 * Math.log10(energy);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
