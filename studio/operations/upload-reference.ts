import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { z } from 'zod';
import { limits, ReferenceRole, text } from '../../api/contract.js';
import type { Commits } from '../commits.js';
import { json, problemsOf } from '../http/json.js';
import { receiveUpload, type UploadLimits } from '../http/upload.js';
import { newId } from '../ids.js';
import { Problem } from '../problem.js';
import { type ReferenceRecord, type References, referenceBody } from '../references.js';
import { ProbeUnavailableError, UnsupportedReferenceError } from '../render/render.js';
import type { Renderer } from '../render/renderer.js';
import type { Handler } from './pipeline.js';

export interface UploadReferenceDeps {
  readonly references: References;
  readonly renderer: Pick<Renderer, 'probeReference'>;
  readonly commits: Commits;
  readonly incomingFolder: string;
  readonly uploadLimits: UploadLimits;
}

const Fields = z.strictObject({
  role: ReferenceRole.default('other'),
  description: text({ max: limits.descriptionMax }).optional(),
});

/** Stores a file under the type that its bytes show. An id that was returned survives any crash. */
export function createUploadReference(deps: UploadReferenceDeps): Handler {
  const { references, commits, incomingFolder, uploadLimits } = deps;
  const probe = createProbe(deps.renderer);
  return async ({ request, keyHash, nowMs, noted }) => {
    const upload = await receiveUpload(request, incomingFolder, uploadLimits);
    try {
      const fields = Fields.safeParse(upload.fields);
      if (!fields.success) throw invalid(problemsOf(fields.error).join('; '));
      if (upload.sizeBytes === 0) throw invalid('the file is empty');
      const mimeType = await probe(upload.path);
      noted.bodyDigest = upload.sha256;
      const { sizeBytes, sha256 } = upload;
      const { role, description = null } = fields.data;
      const id = newId('ref');
      const reference: ReferenceRecord = {
        id,
        keyHash,
        role,
        description,
        mimeType,
        sizeBytes,
        sha256,
        createdMs: nowMs,
      };
      await references.adopt(id, upload.path);
      await commits.run(() => references.insert(reference));
      return json(201, referenceBody(reference));
    } finally {
      await rm(upload.path, { force: true });
    }
  };
}

/** Each file is read in a process of its own: more of them than processors only makes each one late. */
const probesAtOnce = availableParallelism();

/** Beyond this, callers had better wait on their side. */
const maxWaiting = 200;

function createProbe({ probeReference }: UploadReferenceDeps['renderer']): (path: string) => Promise<string> {
  const limit = pLimit(probesAtOnce);
  return async (path) => {
    if (limit.pendingCount >= maxWaiting) throw unavailable('too many files are waiting to be read');
    try {
      return (await limit(() => probeReference(path))).mimeType;
    } catch (error) {
      if (error instanceof ProbeUnavailableError) throw unavailable('the file could not be read in time');
      if (!(error instanceof UnsupportedReferenceError)) throw error;
      throw new Problem('unsupported_media_type', `Cannot upload reference: ${error.message}`);
    }
  };
}

function unavailable(state: string): Problem {
  return new Problem('unavailable', `Cannot upload reference: ${state}, send it again in 10 s`, {
    'Retry-After': '10',
  });
}

function invalid(what: string): Problem {
  return new Problem('invalid_request', `Cannot upload reference: ${what}`);
}
