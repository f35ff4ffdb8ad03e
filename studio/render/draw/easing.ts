export function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** 0 before `from`, 1 after `to`, even in between. */
export function ramp(value: number, from: number, to: number): number {
  return to > from ? clamp01((value - from) / (to - from)) : Number(value >= to);
}

export function easeOut(amount: number): number {
  return 1 - (1 - amount) ** 3;
}

export function easeInOut(amount: number): number {
  return amount < 0.5 ? 4 * amount ** 3 : 1 - (-2 * amount + 2) ** 3 / 2;
}

/** Goes a little too far and comes back: a sticker put down. */
export function overshoot(amount: number): number {
  const pull = 1.4;
  return 1 + (pull + 1) * (amount - 1) ** 3 + pull * (amount - 1) ** 2;
}
