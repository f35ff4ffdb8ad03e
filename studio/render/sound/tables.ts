/** One cycle of a wave, ready for quick reading at any pitch. */
export type Wavetable = Float32Array;

/** 2 to the 11th: the upper bits of a phase number a sample. */
const length = 2_048;

/** @param partials strength of each multiple of the pitch, the pitch itself first */
function wavetable(partials: readonly number[]): Wavetable {
  const table = new Float32Array(length + 1);
  for (let index = 0; index <= length; index++) {
    for (const [partial, strength] of partials.entries()) {
      table[index] = (table[index] ?? 0) + strength * Math.sin((2 * Math.PI * index * (partial + 1)) / length);
    }
  }
  return table;
}

/** Phases count in these parts of a cycle, so that they wrap around by themselves. */
export const cycle = 2 ** 32;
const stepBits = 21;
const stepMask = 2 ** stepBits - 1;

/** Value at a phase of 0 to `cycle`. */
export function at(table: Wavetable, phase: number): number {
  const index = phase >>> stepBits;
  const low = table[index] ?? 0;
  return low + (((table[index + 1] ?? 0) - low) * (phase & stepMask)) / (stepMask + 1);
}

/** Few and soft overtones: strings far away. */
export const warm = wavetable([1, 0.42, 0.2, 0.11, 0.06, 0.035, 0.02]);
/** Wood or glass when it fades quickly. */
export const bell = wavetable([1, 0, 0.12, 0.3, 0, 0.05, 0.06]);
export const round = wavetable([1, 0.35, 0.08]);
