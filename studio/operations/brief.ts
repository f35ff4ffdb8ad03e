import { MovieRequest } from '../../api/contract.js';
import { parseJson } from '../http/json.js';
import type { Visit } from '../http/visit.js';
import { type AcceptedRequest, acceptRequest } from '../movies.js';
import { Problem } from '../problem.js';
import type { References } from '../references.js';
import { problemOfUrl } from '../webhooks/addresses.js';

export interface BriefDeps {
  readonly references: Pick<References, 'find'>;
  readonly allowLoopback: boolean;
}

/**
 * The movie request of a create or an estimate, valid in itself and against what this key has uploaded.
 *
 * @throws Problem naming all that is wrong, as far as it can be seen in one pass.
 */
export async function readBrief(visit: Visit, action: string, deps: BriefDeps): Promise<AcceptedRequest> {
  const contentType = visit.request.headers.get('content-type');
  const brief = acceptRequest(parseJson(await visit.body(), { schema: MovieRequest, action, contentType }));
  const problems: string[] = [];
  brief.references.forEach(({ reference_id }, index) => {
    if (deps.references.find(reference_id, visit.keyHash)) return;
    problems.push(`references[${index}].reference_id: ${reference_id} is not a reference that this key has uploaded`);
  });
  const urlProblem = brief.webhook_url === undefined ? null : problemOfUrl(brief.webhook_url, deps);
  if (urlProblem !== null) problems.push(`webhook_url: ${urlProblem}`);
  if (problems.length > 0) throw new Problem('invalid_request', `${action}: ${problems.join('; ')}`);
  return brief;
}
