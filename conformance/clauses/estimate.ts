import { Estimate } from '../../api/contract.js';
import { bodyOf, refused } from '../answers.js';
import { sampleRequest } from '../briefs.js';
import { type Clause, require } from '../clause.js';

export const estimateClauses: readonly Clause[] = [
  {
    id: 'estimate.fields',
    section: 'Resources and their fields',
    says: 'An Estimate has whole, non-negative credits, runtime and minor units, and a currency of three letters',
    async check(session) {
      const { currency } = await session.estimate();
      require(/^\p{L}{3}$/u.test(currency), `gave the currency ${currency}`);
    },
  },
  {
    id: 'estimate.assumptions',
    section: 'Resources and their fields',
    says: 'An Estimate lists the assumptions that it was made on, as texts',
    async check(session) {
      await session.estimate();
      const answer = await session.call('estimateMovie', { body: sampleRequest });
      require(answer.text.includes('"assumptions"'), 'left out the assumptions', answer);
    },
  },
  {
    id: 'estimate.minimal',
    section: 'Resources and their fields',
    says: 'Of a movie request only the prompt is required',
    async check(session) {
      await session.estimate();
      bodyOf(await session.call('estimateMovie', { body: { prompt: sampleRequest.prompt } }), Estimate);
    },
  },
  {
    id: 'estimate.default-duration',
    section: 'Limits',
    says: 'A movie request without duration_seconds asks for 30 seconds',
    async check(session) {
      await session.estimate();
      const { prompt } = sampleRequest;
      const implied = await session.call('estimateMovie', { body: { prompt } });
      const stated = bodyOf(await session.call('estimateMovie', { body: { prompt, duration_seconds: 30 } }), Estimate);
      const same = bodyOf(implied, Estimate).amount_minor === stated.amount_minor;
      require(same, `estimated an amount other than ${stated.amount_minor} for 30 seconds`, implied);
    },
  },
  {
    id: 'estimate.error',
    section: 'Errors',
    says: 'An estimate without a valid movie request is answered with an error',
    async check({ call }) {
      refused(await call('estimateMovie', { body: {} }));
    },
  },
];
