import { Estimate } from '../../api/contract.js';
import { type Clause, NotTestable, require } from '../clause.js';
import { bodyOf, errorOf, sampleRequest } from '../session.js';

export const estimateClauses: readonly Clause[] = [
  {
    id: 'estimate.fields',
    section: 'Resources and their fields',
    says: 'An Estimate has whole, non-negative credits, runtime and minor units, a currency of three letters, and assumptions',
    creates: 0,
    async check({ call }) {
      const answer = await call('estimateMovie', { body: sampleRequest });
      bodyOf(answer, Estimate);
      require(answer.text.includes('"assumptions"'), 'left out the assumptions', answer);
    },
  },
  {
    id: 'estimate.minimal',
    section: 'Resources and their fields',
    says: 'Of a movie request only the prompt is required',
    creates: 0,
    async check({ call }) {
      bodyOf(await call('estimateMovie', { body: { prompt: sampleRequest.prompt } }), Estimate);
    },
  },
  {
    id: 'estimate.default-duration',
    section: 'Limits',
    says: 'A movie request without duration_seconds asks for 30 seconds',
    creates: 0,
    async check({ call }) {
      const { prompt } = sampleRequest;
      const implied = await call('estimateMovie', { body: { prompt } });
      const stated = bodyOf(await call('estimateMovie', { body: { prompt, duration_seconds: 30 } }), Estimate);
      const same = bodyOf(implied, Estimate).amount_minor === stated.amount_minor;
      require(same, `estimated another amount than ${stated.amount_minor} for 30 seconds`, implied);
    },
  },
  {
    id: 'estimate.error',
    section: 'Errors',
    says: 'An estimate has error responses in the shape of the Error object',
    creates: 0,
    async check({ call }) {
      errorOf(await call('estimateMovie', { body: {} }));
    },
  },
  {
    id: 'estimate.creates-nothing',
    section: 'Endpoints',
    says: 'An estimate creates no job',
    creates: 0,
    async check() {
      throw new NotTestable('the interface has no list of movies in which a job could be looked for');
    },
  },
];
