import { json } from '../http/json.js';
import type { AcceptedRequest, Preset } from '../movies.js';
import { estimateOf, type Pricing } from '../price.js';
import { type BriefDeps, readBrief } from './brief.js';
import type { Handler } from './pipeline.js';

export interface EstimateMovieDeps extends BriefDeps {
  readonly preset: Preset;
  readonly pricing: Pricing;
  readonly jobMsOf: (brief: AcceptedRequest) => number | null;
}

/** Prices a movie; creates nothing. */
export function createEstimateMovie(deps: EstimateMovieDeps): Handler {
  const { preset, pricing, jobMsOf } = deps;
  return async (context) => {
    const { brief, assumptions } = await readBrief(context, 'Cannot estimate movie', deps);
    const jobMs = jobMsOf(brief);
    const jobSeconds = jobMs === null ? null : jobMs / 1000;
    return json(200, estimateOf(brief, { preset, pricing, jobSeconds, assumptions }));
  };
}
