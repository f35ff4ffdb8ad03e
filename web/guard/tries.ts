/** Failed tries at something that can be guessed at, by address and over all, within a minute. */
export interface Tries {
  /** The seconds to wait; 0 where another try is allowed. */
  wait(address: string, nowMs: number): number;
  failed(address: string, nowMs: number): void;
}

const windowMs = 60_000;

export function createTries({ perAddress, overAll }: { readonly perAddress: number; readonly overAll: number }): Tries {
  let tries: { readonly address: string; readonly atMs: number }[] = [];
  return {
    wait(address, nowMs) {
      tries = tries.filter(({ atMs }) => atMs > nowMs - windowMs);
      const own = tries.filter((one) => one.address === address);
      const first = own.length >= perAddress ? own[0] : tries.length >= overAll ? tries[0] : undefined;
      return first ? Math.max(1, Math.ceil((first.atMs + windowMs - nowMs) / 1_000)) : 0;
    },
    failed(address, nowMs) {
      tries.push({ address, atMs: nowMs });
    },
  };
}
