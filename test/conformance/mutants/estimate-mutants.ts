import { answers, type Mutant, problem, requests, responses } from './mutant.js';

const estimate = 'estimateMovie';
const upload = 'uploadReference';

/** Estimates, their limits, and references. */
export const estimateMutants: readonly Mutant[] = [
  ...(['estimated_credits', 'estimated_runtime_seconds', 'currency', 'amount_minor', 'assumptions'] as const).map(
    (field): Mutant => ({
      name: `estimates without ${field}`,
      clause: field === 'assumptions' ? 'estimate.assumptions' : 'estimate.fields',
      breakage: answers(estimate, ({ [field]: _, ...rest }) => rest),
    }),
  ),
  ...[
    { amount_minor: 0.5 },
    { amount_minor: -1 },
    { amount_minor: '50' },
    { estimated_credits: -1 },
    { estimated_runtime_seconds: 1.5 },
    { currency: 'US' },
    { currency: '840' },
    { assumptions: 'none' },
  ].map((fields): Mutant => ({
    name: `estimates ${JSON.stringify(fields)}`,
    clause: 'estimate.fields',
    breakage: answers(estimate, (body) => ({ ...body, ...fields })),
  })),
  {
    name: 'estimates 5 s where no length is said',
    clause: 'estimate.default-duration',
    breakage: requests(estimate, (body) => ({ duration_seconds: 5, ...body })),
  },
  {
    name: 'estimates only with a length',
    clause: 'estimate.minimal',
    breakage: () => async (request, next, operation) =>
      operation === estimate && !(await request.clone().text()).includes('duration_seconds')
        ? problem(400)
        : next(request),
  },
  {
    name: 'estimates what is no request',
    clause: 'estimate.error',
    breakage: requests(estimate, (body) => (Object.keys(body).length === 0 ? { prompt: 'A prompt of its own' } : body)),
  },
  {
    name: 'makes a movie at each estimate',
    clause: 'estimate.creates-nothing',
    breakage: () => async (request, next, operation) => {
      if (operation !== estimate) return next(request);
      const { headers } = request;
      await next(
        new Request(request.url.replace('/estimate', ''), {
          method: 'POST',
          headers,
          body: await request.clone().text(),
        }),
      );
      return next(request);
    },
  },
  {
    name: 'counts UTF-16 units instead of characters',
    clause: 'limits.prompt-of-8000-emoji',
    breakage: () => async (request, next, operation) => {
      if (operation !== estimate) return next(request);
      const { prompt } = JSON.parse(await request.clone().text()) as { prompt?: unknown };
      return typeof prompt === 'string' && prompt.length > 8000 ? problem(400) : next(request);
    },
  },
  {
    name: 'does not know 4:5',
    clause: 'limits.aspect_ratio-4:5',
    breakage: () => async (request, next, operation) =>
      operation === estimate && (await request.clone().text()).includes('4:5') ? problem(400) : next(request),
  },
  {
    name: 'does not know the role audio',
    clause: 'limits.role-audio',
    breakage: () => async (request, next, operation) =>
      operation === estimate && (await request.clone().text()).includes('"audio"') ? problem(400) : next(request),
  },
  {
    name: 'takes any role',
    clause: 'limits.role-hero',
    breakage: requests(estimate, (body) => JSON.parse(JSON.stringify(body).replace('"hero"', '"other"'))),
  },
  {
    name: 'takes descriptions of any length',
    clause: 'limits.description-of-1001-letters',
    breakage: requests(estimate, (body) =>
      JSON.parse(JSON.stringify(body).replace(/"description":"[^"]*"/g, '"description":"x"')),
    ),
  },
  {
    name: 'takes http callback addresses',
    clause: 'limits.webhook_url-without-https',
    breakage: requests(estimate, ({ webhook_url, ...body }) => ({
      ...body,
      ...(webhook_url !== undefined && { webhook_url: String(webhook_url).replace('http:', 'https:') }),
    })),
  },
  {
    name: 'gives references an id of another form',
    clause: 'references.upload',
    breakage: answers(upload, (body) => ({ ...body, id: 'file-1' })),
  },
  {
    name: 'gives every file one id',
    clause: 'references.kind.video',
    breakage: answers(upload, (body) => ({ ...body, id: 'ref_1' })),
  },
  ...(['created_at', 'mime_type', 'role', 'description'] as const).map((field): Mutant => ({
    name: `gives references no ${field}`,
    clause: 'references.fields',
    breakage: answers(upload, ({ [field]: _, ...rest }) => rest),
  })),
  {
    name: 'calls every file application/octet-stream',
    clause: 'references.kind.image',
    breakage: answers(upload, (body) => ({ ...body, mime_type: 'application/octet-stream' })),
  },
  {
    name: 'files references under another role',
    clause: 'references.fields',
    breakage: answers(upload, (body) => ({ ...body, role: 'other' })),
  },
  ...(['video', 'audio'] as const).map((kind): Mutant => ({
    name: `takes no ${kind} file`,
    clause: kind === 'video' ? 'references.kind.video' : 'references.kind.audio-file',
    breakage: () => async (request, next, operation) => {
      if (operation !== upload) return next(request);
      const form = Buffer.from(await request.clone().arrayBuffer()).toString('latin1');
      return form.includes(`Content-Type: ${kind}/`) ? problem(415, 'unsupported') : next(request);
    },
  })),
  {
    name: 'takes uploads without a file',
    clause: 'references.without-file',
    breakage: responses(
      upload,
      (code) => code === 400,
      () => Response.json({ id: 'ref_1', role: 'other', mime_type: 'text/plain', created_at: '2026-01-01T00:00:00Z' }),
    ),
  },
  {
    name: 'forgets references',
    clause: 'references.use',
    breakage: () => async (request, next, operation) =>
      operation === estimate && (await request.clone().text()).includes('"reference_id":"ref_')
        ? problem(400)
        : next(request),
  },
];
