/** Tries at something that is guessed at, by address and over all. */
export interface Tries {
  /** @returns the seconds to wait, or 0 where another try is allowed, which is counted. */
  wait(address: string, nowMs: number): number;
}

const windowMs = 60_000;

export function createTries({ perAddress, overAll }: { readonly perAddress: number; readonly overAll: number }): Tries {
  let tries: { readonly address: string; readonly atMs: number }[] = [];
  return {
    wait(address, nowMs) {
      tries = tries.filter(({ atMs }) => atMs > nowMs - windowMs);
      const own = tries.filter((one) => one.address === address);
      const first = own.length >= perAddress ? own[0] : tries.length >= overAll ? tries[0] : undefined;
      if (first) return Math.max(1, Math.ceil((first.atMs + windowMs - nowMs) / 1_000));
      tries.push({ address, atMs: nowMs });
      return 0;
    },
  };
}
