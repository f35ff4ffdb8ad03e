import { type AspectRatio, aspectRatios } from '../../domain/brief.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { ratioRepair, readAspectRatio } from './aspect-ratio.js';

export interface RatioList {
  readonly ratios: readonly AspectRatio[];
  readonly troubles: readonly Trouble[];
  /** The parts, repaired where needed; null when there is nothing to repair. */
  readonly repaired: readonly string[] | null;
}

/** Reads several ratios, one movie for each. */
export function readRatioList(parts: readonly string[]): RatioList {
  const [only] = parts;
  if (parts.length === 1 && isAspectRatio(only)) return { ratios: [only], troubles: none, repaired: null };
  if (parts.length > maxParts) return { ratios: [], troubles: [tooMany(parts.length)], repaired: null };
  const ratios: AspectRatio[] = [];
  const troubles: Trouble[] = [];
  let isRepaired = false;
  const written = parts.map((part) => {
    const reading = readAspectRatio(part.trim());
    if ('trouble' in reading) {
      troubles.push(reading.trouble);
      return part;
    }
    const { ratio, repaired } = reading;
    if (ratios.includes(ratio)) troubles.push(twice(ratio));
    else ratios.push(ratio);
    if (!repaired) return part;
    isRepaired = true;
    troubles.push(ratioRepair(part.trim(), ratio));
    return ratio;
  });
  return { ratios, troubles, repaired: isRepaired ? written : null };
}

const none: readonly Trouble[] = [];

/** Each ratio may occur once, so this many get a finding each. */
const maxParts = 20;

function tooMany(count: number): Trouble {
  const message = `it names ${count} ratios; there are ${aspectRatios.join(' ')}`;
  return { severity: 'error', code: 'ratio_twice', message };
}

function isAspectRatio(text: string | undefined): text is AspectRatio {
  return (aspectRatios as readonly (string | undefined)[]).includes(text);
}

function twice(ratio: AspectRatio): Trouble {
  const message = `names ${ratio} twice; name each ratio once`;
  return { severity: 'error', code: 'ratio_twice', message, before: ratio };
}
