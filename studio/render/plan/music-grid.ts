/** Bars of four beats that end exactly with the film. Views change on its beats, so that picture and music agree. */
export interface MusicGrid {
  readonly bars: number;
  readonly beatSeconds: number;
}

const beatsPerBar = 4;

/** The tempo gives way to the length: a few beats a minute more or less are not heard, a cut-off bar is. */
export function musicGrid(durationSeconds: number, energy: number): MusicGrid {
  const wishedBeatsPerMinute = 68 + 56 * energy;
  const bars = Math.max(2, Math.round((durationSeconds * wishedBeatsPerMinute) / 60 / beatsPerBar));
  return { bars, beatSeconds: durationSeconds / (bars * beatsPerBar) };
}

export function nearestBeat(seconds: number, { beatSeconds }: MusicGrid): number {
  return Math.round(seconds / beatSeconds) * beatSeconds;
}
