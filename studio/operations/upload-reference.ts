import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { limits, ReferenceRole, text } from '../../api/contract.js';
import type { Commits } from '../commits.js';
import { json, problemsOf } from '../http/json.js';
import { receiveUpload, type UploadLimits } from '../http/upload.js';
import type { Handler } from '../http/visit.js';
import { newId } from '../ids.js';
import { Problem } from '../problem.js';
import { type ReferenceRecord, type References, referenceBody } from '../references.js';
import { UnsupportedReferenceError } from '../render/render.js';
import type { Renderer } from '../renderer.js';

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

/** Stores a file as what its bytes say it is. An id that was answered stays good over any crash. */
export function createUploadReference(deps: UploadReferenceDeps): Handler {
  const { references, commits, incomingFolder, uploadLimits } = deps;
  return async ({ request, keyHash, nowMs, noted }) => {
    const upload = await receiveUpload(request, incomingFolder, uploadLimits);
    try {
      const fields = Fields.safeParse(upload.fields);
      if (!fields.success) throw invalid(problemsOf(fields.error).join('; '));
      if (upload.sizeBytes === 0) throw invalid('the file is empty');
      const mimeType = await probe(upload.path, deps.renderer);
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

async function probe(path: string, renderer: UploadReferenceDeps['renderer']): Promise<string> {
  try {
    return (await renderer.probeReference(path)).mimeType;
  } catch (error) {
    if (!(error instanceof UnsupportedReferenceError)) throw error;
    throw new Problem('unsupported_media_type', `Cannot upload reference: ${error.message}`);
  }
}

function invalid(what: string): Problem {
  return new Problem('invalid_request', `Cannot upload reference: ${what}`);
}
