import type { Estimate } from '../api/contract.js';
import type { AcceptedRequest } from './movies.js';

export interface Pricing {
  /** ISO 4217, three letters. */
  readonly currency?: string;
  /** Minor units of that currency for one credit. */
  readonly centsPerCredit?: number;
}

export interface Price {
  readonly credits: number;
  readonly amountMinor: number;
  readonly currency: string;
}

const secondsPerCredit = 5;

/** Frames of these shapes have more pixels than 1280x720 (1080x1080, 1080x1350), and take that much longer to draw. */
const weightOfRatio = { '16:9': 1, '9:16': 1, '1:1': 1.25, '4:5': 1.5 } as const;

/** Depends on length, ratio and number of references only: the same request always costs the same. */
export function priceOf(request: AcceptedRequest, { currency = 'USD', centsPerCredit = 50 }: Pricing = {}): Price {
  const length = Math.ceil((request.duration_seconds / secondsPerCredit) * weightOfRatio[request.aspect_ratio]);
  const credits = length + request.references.length;
  return { credits, amountMinor: credits * centsPerCredit, currency };
}

/** Seconds of work per second of film, on two cores, plus what comes before the first frame. */
const renderSpeed = {
  film: { perSecond: 0.6, before: 2 },
  draft: { perSecond: 0.1, before: 1 },
} as const;

const madeOf = {
  film: 'The studio draws an animatic from the brief, without a generative model',
  draft: 'The studio draws a small draft of an animatic from the brief, without a generative model',
  stub: 'The studio answers with a prepared film of the right length and ratio, without looking at the brief',
} as const;

export function estimateOf(
  request: AcceptedRequest,
  {
    preset,
    jobSeconds,
    pricing,
    assumptions,
  }: {
    readonly preset: keyof typeof madeOf;
    readonly jobSeconds: number | null;
    readonly pricing: Pricing;
    readonly assumptions: readonly string[];
  },
): Estimate {
  const { credits, amountMinor, currency } = priceOf(request, pricing);
  const speed = preset === 'stub' ? { perSecond: 0, before: 0 } : renderSpeed[preset];
  return {
    estimated_credits: credits,
    estimated_runtime_seconds: Math.ceil(jobSeconds ?? speed.before + speed.perSecond * request.duration_seconds),
    currency,
    amount_minor: amountMinor,
    assumptions: [
      ...assumptions,
      `${madeOf[preset]}; no money changes hands`,
      `One credit for every ${secondsPerCredit} s of film (1:1 a quarter more, 4:5 half more), and one for each reference`,
      'The runtime does not include the wait for movies ordered earlier',
    ],
  };
}
