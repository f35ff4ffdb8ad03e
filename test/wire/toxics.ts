import type { Toxic } from './proxy.js';

/** After how many bytes: of a request, and of an answer that is reset, that ends, that stops coming. */
export interface BreakingPoints {
  readonly request: readonly number[];
  readonly cut: readonly number[];
  readonly end: readonly number[];
  readonly stall: readonly number[];
}

/** Every way in which a wire loses something, at these places; latency, which loses nothing, is its caller's to add. */
export function everyLoss({ request, cut, end, stall }: BreakingPoints): readonly Toxic[] {
  const after = (kind: 'cut' | 'end' | 'stall', bytes: readonly number[]): readonly Toxic[] =>
    bytes.map((afterBytes) => ({ kind, afterBytes }));
  return [
    { kind: 'reset_before' },
    ...request.map((requestBytes): Toxic => ({ kind: 'cut_request', requestBytes })),
    { kind: 'reset_after' },
    { kind: 'half_close' },
    { kind: 'garbage' },
    ...after('cut', cut),
    ...after('end', end),
    ...after('stall', stall),
  ];
}
