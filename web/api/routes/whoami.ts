import { timeJson } from '../../../reports/time-json.js';
import { apiRoute, json } from '../api-route.js';
import { Whoami } from '../schemas/acts.js';

export const whoamiRoutes = [
  apiRoute({
    ...{ operationId: 'whoami', method: 'get', path: '/whoami' },
    summary: 'Say whose token it is',
    description: 'The person, with the roles that they have now.',
    answers: { 200: { description: 'The person', schema: Whoami } },
    refusals: [],
    async handle({ actor: { name, roles }, expiresAtMs }) {
      return json({ name, roles, token_expires_at: timeJson(expiresAtMs) });
    },
  }),
];
