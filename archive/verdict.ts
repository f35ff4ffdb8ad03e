import type { AspectRatio } from '../domain/brief.js';
import type { ProbedMovie } from './probe.js';

/** What was ordered. A null ratio was left to the service, and any is right. */
export interface Asked {
  readonly durationSeconds: number;
  readonly aspectRatio: AspectRatio | null;
}

/** `as ordered`, or `needs review: <measured against asked>` in words for a person. */
export type Verdict = 'as ordered' | `needs review: ${string}`;

/**
 * A film is a whole number of pictures, and its sound a whole number of blocks: at ten pictures a second an honest 5 s
 * is off by up to one picture. The rest is for rounding in the container.
 */
const durationToleranceSeconds = 0.1 + 0.005;

/** Encoders want even sides: rounding a side of a small picture moves the ratio by half a percent. */
const ratioTolerance = 0.01;

/**
 * Compares a finished movie with its order. The verdict says what a person has to look at, never whether the file is
 * kept: a file that arrived stays.
 *
 * @param probed null when the file cannot be read as a movie.
 * @param notGiven types of listed files that the service did not deliver.
 */
export function verdict(asked: Asked, probed: ProbedMovie | null, notGiven: readonly string[] = []): Verdict {
  const findings = [
    ...(probed ? measured(asked, probed) : [`the file cannot be read as a movie, asked ${wanted(asked)}`]),
    ...notGiven.map((type) => `${type} was listed and not given`),
  ];
  return findings.length === 0 ? 'as ordered' : `needs review: ${findings.join('; ')}`;
}

function measured({ durationSeconds, aspectRatio }: Asked, probed: ProbedMovie): string[] {
  const findings: string[] = [];
  // Compared this way round, a length that is not a number is a finding too.
  if (!(Math.abs(probed.durationSeconds - durationSeconds) <= durationToleranceSeconds)) {
    findings.push(`${seconds(probed.durationSeconds)} against ${seconds(durationSeconds)} asked`);
  }
  if (aspectRatio && !hasRatio(probed, aspectRatio)) {
    findings.push(`${probed.width}x${probed.height} against ${aspectRatio} asked`);
  }
  return findings;
}

function hasRatio({ width, height }: ProbedMovie, ratio: AspectRatio): boolean {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  return Math.abs((width / height) * (down / across) - 1) <= ratioTolerance;
}

function wanted({ durationSeconds, aspectRatio }: Asked): string {
  return aspectRatio ? `${seconds(durationSeconds)} in ${aspectRatio}` : seconds(durationSeconds);
}

function seconds(value: number): string {
  return `${Number(value.toFixed(2))} s`;
}
