import { type Operation, routes } from '../../api/contract.js';
import { errorOf } from '../answers.js';
import { sampleRequest } from '../briefs.js';
import { type Answer, waitMs } from '../calls.js';
import { type Clause, NotTestable, require } from '../clause.js';
import type { Session } from '../session.js';

const operations = Object.keys(routes) as Operation[];

/** More than a service that limits its rate at all should let through at once. */
const burstSize = 60;

/** To check last: they judge the errors that all others met. */
export const errorClauses: readonly Clause[] = [
  {
    id: 'errors.rate-limit',
    section: 'Errors',
    says: '429 carries the header Retry-After, a whole number of seconds, at least 1',
    refusals: burstSize,
    async check(session) {
      await provokeLimit(session);
      const limited = session.errors.filter(({ status }) => status === 429);
      if (limited.length === 0) throw new NotTestable(`${2 * burstSize} requests at once were not limited`);
      for (const answer of limited) {
        const seconds = answer.headers.get('retry-after') ?? 'nothing';
        require(/^[1-9]\d*$/.test(seconds), `says Retry-After: ${seconds}`, answer);
      }
    },
  },
  ...operations.map((operation): Clause => ({
    id: `errors.body.${operation}`,
    section: 'Errors',
    says: `Error responses of ${routes[operation].method} ${routes[operation].path} are JSON: { error: { code, message, request_id } }`,
    async check({ errors }) {
      const met = errors.filter((answer) => answer.operation === operation);
      if (met.length === 0) throw new NotTestable('it never answered with an error');
      met.forEach(errorOf);
    },
  })),
  {
    id: 'errors.code',
    section: 'Errors',
    says: 'invalid_request is the code of an invalid request',
    async check({ errors }) {
      const invalid = errors.filter(({ operation, status }) => operation === 'createMovie' && status === 400);
      if (invalid.length === 0) throw new NotTestable('no create was answered with 400');
      for (const answer of invalid) {
        const { code } = readable(answer);
        require(code === 'invalid_request', `uses the code ${code}`, answer);
      }
    },
  },
  {
    id: 'errors.request-id',
    section: 'Resources and their fields',
    says: 'The request_id of an error is that of its request: no two errors share one',
    async check({ errors }) {
      if (errors.length < 2) throw new NotTestable('it answered with an error less than twice');
      const seen = new Set<string>();
      for (const answer of errors) {
        const { request_id } = readable(answer);
        require(!seen.has(request_id), `gave two errors the request_id ${request_id}`, answer);
        seen.add(request_id);
      }
    },
  },
  {
    id: 'versioning.path',
    section: 'Versioning',
    says: 'The base URL carries the version as the segment v1',
    async check({ service }) {
      const { pathname } = new URL(service.baseUrl);
      require(/\/v1\/?$/.test(pathname), `has the path ${pathname}`);
    },
  },
];

/** @throws NotTestable when it is not an Error object; `errors.body` fails for that. */
function readable(answer: Answer): ReturnType<typeof errorOf> {
  try {
    return errorOf(answer);
  } catch {
    throw new NotTestable('it needs an Error object, and an error had none');
  }
}

/** Estimates cost nothing; creates without a prompt make nothing where the service has refused one before. */
async function provokeLimit({ callOnce, refusal, service }: Session): Promise<void> {
  const burst = (operation: Operation, body: object) =>
    Promise.all(Array.from({ length: burstSize }, () => callOnce(operation, { body })));
  const answers = await burst('estimateMovie', sampleRequest);
  if (await isRefused(refusal)) answers.push(...(await burst('createMovie', {})));
  const limited = answers.filter(({ status }) => status === 429);
  await service.sleep(Math.max(0, ...limited.map(waitMs)));
}

function isRefused(refusal: Session['refusal']): Promise<boolean> {
  return refusal().then(
    () => true,
    () => false,
  );
}
