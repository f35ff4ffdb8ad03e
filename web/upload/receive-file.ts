import { ApiProblem } from '../api/problem.js';
import { receiveUpload } from '../api/receive-upload.js';
import type { DeskDeps } from '../desk-deps.js';
import type { DeskContext } from '../desk-env.js';
import { formTokenField, isFormToken } from '../guard/form-token.js';

const maxBytes = 256 * 1024 * 1024;

/** A file that a form brought, with the fields before it. */
export interface ReceivedFile {
  readonly path: string;
  readonly name: string;
  /** Null for a field that is empty, or not there. */
  readonly text: (field: string) => string | null;
}

/**
 * Takes the form of a page of this session: its token comes before its files, of which none is kept without it.
 *
 * @returns a problem, in words for a person, where the form cannot be taken.
 */
export async function receiveFile(
  c: DeskContext,
  { uploadsFolder }: DeskDeps,
): Promise<ReceivedFile | ApiProblem | 'another session'> {
  const fields = new Map<string, string>();
  const isOurs = () => isFormToken(fields.get(formTokenField), c.get('signedIn')?.formToken ?? '-');
  let isRefused = false;
  const text = (field: string) => (fields.get(field) ?? '').trim() || null;
  try {
    const { path, name } = await receiveUpload(c.req.raw, {
      ...{ folder: uploadsFolder, maxBytes, name: undefined },
      onField: (field, value) => void fields.set(field, value),
      refusal: () => {
        if (isOurs()) return null;
        isRefused = true;
        return new ApiProblem('not-allowed', 'another session');
      },
    });
    return { path, name, text };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    // What is too large is refused by its length, before any field of it is read.
    const isUnread = error.problem === 'payload-too-large' && fields.size === 0;
    return isRefused || !(isUnread || isOurs()) ? 'another session' : error;
  }
}
