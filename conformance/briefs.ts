import { limits, type MovieRequest } from '../api/contract.js';
import { referenceRoles } from '../domain/brief.js';

export const sampleRequest = {
  prompt: 'A paper boat sails along a rain gutter and reaches the sea.',
  duration_seconds: 5,
  aspect_ratio: '16:9',
} as const satisfies MovieRequest;

/** To be canceled as soon as it is made. */
export const canceledRequest: MovieRequest = {
  ...sampleRequest,
  prompt: `${sampleRequest.prompt} To be canceled.`,
};

/** Only what is required. */
export const minimalRequest: MovieRequest = { prompt: `A lamp is lit in a window. ${canceledRequest.prompt}` };

/** One code point that is two UTF-16 units: a service that counts units refuses what the interface allows. */
export const astral = '🎬';

/** Every field, each at its upper limit, in letters that are easily damaged. */
export function largestRequest(referenceIds: readonly string[]): MovieRequest {
  const end = '\nŻółw "świt" 夜明け ½. To be canceled.';
  return {
    prompt: filled(end, limits.promptMax),
    duration_seconds: limits.durationSecondsMax,
    aspect_ratio: '4:5',
    style: filled(' warm', limits.styleMax),
    references: referenceIds.slice(0, limits.referencesMax).map((reference_id, index) => ({
      reference_id,
      role: referenceRoles[index % referenceRoles.length] ?? 'other',
      description: filled(' at dusk', limits.descriptionMax),
    })),
  };
}

function filled(end: string, codePoints: number): string {
  return astral.repeat(codePoints - [...end].length) + end;
}
