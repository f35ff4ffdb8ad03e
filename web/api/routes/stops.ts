import type { Notified } from '../../../operations/deps.js';
import { goOn, pause, resume, type StopInput } from '../../../operations/stops.js';
import type { ApiDeps } from '../api-deps.js';
import { apiRoute, json } from '../api-route.js';
import { StopRequest, Told } from '../schemas/acts.js';

interface StopAct {
  readonly name: 'pause' | 'resume' | 'continue';
  readonly summary: string;
  readonly description: string;
  readonly act: (deps: ApiDeps, input: StopInput) => Promise<Notified>;
}

const acts: readonly StopAct[] = [
  {
    name: 'pause',
    summary: 'Pause a batch',
    description:
      'Stops new orders; movies in progress continue. Allowed for operators, and for submitters on their own batches.',
    act: pause,
  },
  {
    name: 'resume',
    summary: 'Resume a batch',
    description: 'Ends a pause, and a stop for refused credentials once they are mended. Needs the operator role.',
    act: resume,
  },
  {
    name: 'continue',
    summary: 'Continue a batch',
    description: 'Goes on after the canary rows, or after more failures than tolerated. Needs the operator role.',
    act: goOn,
  },
];

export const stopRoutes = acts.map(({ name, summary, description, act }) =>
  apiRoute({
    ...{ operationId: `${name}Batch`, method: 'post', path: `/batches/{batch}/${name}`, summary, description },
    body: StopRequest,
    answers: { 200: { description: 'It is recorded', schema: Told } },
    refusals: ['unknown-batch', 'wrong-state'],
    async handle({ deps, actor, path: { batch: batchId = '' }, body: { reason } }) {
      const { told } = await act(deps, { batchId, actor, ...(reason !== undefined && { reason }) });
      return json({ told });
    },
  }),
);
