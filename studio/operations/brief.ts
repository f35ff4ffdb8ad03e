import { MovieRequest } from '../../api/contract.js';
import { parseJson } from '../http/json.js';
import { type AcceptedRequest, acceptRequest } from '../movies.js';
import { Problem } from '../problem.js';
import type { References } from '../references.js';
import type { BriefReview, ReviewedBrief } from '../render/review-brief.js';
import { problemOfUrl } from '../webhooks/addresses.js';
import type { RequestContext } from './pipeline.js';

export interface BriefDeps {
  /** Null where films do not depend on the text. */
  readonly review: ((brief: ReviewedBrief) => BriefReview) | null;
  readonly references: Pick<References, 'find'>;
  readonly allowLoopback: boolean;
}

export interface ReadBrief {
  readonly brief: AcceptedRequest;
  /** What the film does with the text that its author may not expect. */
  readonly assumptions: readonly string[];
}

/**
 * Reads the movie request of a create or an estimate, checked by itself and against what this key has uploaded.
 *
 * @throws Problem naming everything wrong that one pass can find.
 */
export async function readBrief(context: RequestContext, action: string, deps: BriefDeps): Promise<ReadBrief> {
  const contentType = context.request.headers.get('content-type');
  const brief = acceptRequest(parseJson(await context.body(), { schema: MovieRequest, action, contentType }));
  const problems: string[] = [];
  const descriptions = brief.references.map(({ reference_id, description }, index) => {
    const reference = deps.references.find(reference_id, context.keyHash);
    if (reference) return description ?? reference.description;
    problems.push(`references[${index}].reference_id: ${reference_id} is not a reference that this key has uploaded`);
    return null;
  });
  const urlProblem = brief.webhook_url === undefined ? null : problemOfUrl(brief.webhook_url, deps);
  if (urlProblem !== null) problems.push(`webhook_url: ${urlProblem}`);
  const { prompt, duration_seconds: durationSeconds } = brief;
  const review = deps.review?.({ prompt, durationSeconds, descriptions });
  problems.push(...(review?.problems ?? []));
  if (problems.length > 0) throw new Problem('invalid_request', `${action}: ${problems.join('; ')}`);
  return { brief, assumptions: review?.assumptions ?? [] };
}
