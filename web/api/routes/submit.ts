import { z } from 'zod';
import { includable } from '../../../domain/row-class.js';
import { readBatch } from '../../../operations/batches.js';
import { type SubmittedFile, submitFile } from '../../../operations/upload/submit-file.js';
import { type Answer, apiRoute, type Call } from '../api-route.js';
import { findingJson, mostFindings } from '../explain-failure.js';
import { manifestTypes, receiveUpload } from '../receive-upload.js';
import { Submission } from '../schemas/acts.js';
import { batchJson } from '../schemas/batch.js';
import { wholeNumber } from '../whole-number.js';

const yes = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .optional();
const count = (min: number, max: number) => wholeNumber(min, max).optional();
const state = z.enum(includable);

/** The settings of a batch: as the flags of `greenlight submit`. */
const SubmitQuery = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Of the file; needed where the body is the manifest' }),
  campaign: z.string().min(1).max(100).optional().meta({ description: "Without one the manifest's, else by its name" }),
  budget: z.string().min(1).max(300).optional().meta({ description: "A path; without one the campaign's own" }),
  sheet: z.string().min(1).max(100).optional().meta({ description: 'Of a workbook' }),
  encoding: z.string().min(1).max(40).optional(),
  canary: count(1, 1_000_000),
  tolerance: count(0, 1_000_000),
  max_in_flight: count(1, 1_000_000),
  priority: count(1, 5),
  deadline_seconds: count(60, 30 * 24 * 60 * 60),
  include: z.union([state.transform((one) => [one]), z.array(state)]).optional(),
  respend: yes,
  allow_duplicates: yes,
});

const maxUploadBytes = 256 * 1024 * 1024;

export const submitRoutes = [
  apiRoute({
    ...{ operationId: 'submitManifest', method: 'post', path: '/batches' },
    summary: 'Submit a manifest',
    description:
      'As the body itself with its name in the query, or as the file `manifest` of a form, with files of the field `reference` that its rows name. It is checked as a whole; without errors its rows are stored as the next batch of the campaign, priced, and wait for a decision. Nothing is ordered. The same rows again, while their batch is open, give that batch. Needs the submitter role.',
    query: SubmitQuery,
    bodyTypes: ['multipart/form-data', ...manifestTypes],
    answers: {
      200: { description: 'An open batch has exactly these rows', schema: Submission },
      201: { description: 'Stored as a new batch', schema: Submission },
    },
    refusals: [
      'payload-too-large',
      'unsupported-media-type',
      'invalid-manifest',
      'bad-argument',
      'no-budget',
      'wrong-state',
    ],
    handle: submitManifest,
  }),
];

async function submitManifest(call: Call<z.output<typeof SubmitQuery>, unknown>): Promise<Answer> {
  const { deps, actor, query, request } = call;
  const limits = { folder: deps.uploadsFolder, maxBytes: deps.maxUploadBytes ?? maxUploadBytes, name: query.name };
  const upload = await receiveUpload(request, limits);
  let isNeeded = false;
  try {
    const submitted = await submitFile(deps, {
      ...{ actor, otherBatch: 'beside', path: upload.path, name: upload.name, remoteFiles: deps.remoteFiles },
      ...settingsOf(query, deps.allowPrivateReferences),
    });
    isNeeded = submitted.kind === 'submitted' && upload.hasReferences;
    return await answerOf(call, submitted);
  } finally {
    if (!isNeeded) await upload.discard();
  }
}

function settingsOf(query: z.output<typeof SubmitQuery>, allowPrivateAddresses: boolean) {
  const { campaign, sheet, encoding } = query;
  return {
    read: {
      allowPrivateAddresses,
      ...(campaign !== undefined && { campaign }),
      ...(sheet !== undefined && { sheet }),
      ...(encoding !== undefined && { encoding }),
    },
    flags: {
      budgetPath: query.budget,
      canary: query.canary,
      tolerance: query.tolerance,
      maxInFlight: query.max_in_flight,
      priority: query.priority,
      deadlineSeconds: query.deadline_seconds,
      include: query.include,
      respend: query.respend,
      allowDuplicates: query.allow_duplicates,
    },
  };
}

async function answerOf({ deps, actor, request }: Call<unknown, unknown>, submitted: SubmittedFile): Promise<Answer> {
  if (submitted.kind === 'in the way') throw new Error('Cannot be: a batch beside another was asked for');
  const { kind, batchId, told, manifest } = submitted;
  const { findings } = manifest;
  const body = {
    ...{ batch: batchJson(await readBatch(deps, { batchId, actor })), attached: kind === 'attached', told },
    ...{ findings: findings.slice(0, mostFindings).map(findingJson), findings_total: findings.length },
  };
  if (kind === 'attached') return { status: 200, body };
  return { status: 201, body, location: `${new URL(request.url).pathname}/${encodeURIComponent(batchId)}` };
}
