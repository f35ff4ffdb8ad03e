import type { OperationDeps } from '../../operations/deps.js';
import type { SubmitFileInput } from '../../operations/upload/submit-file.js';
import type { WhyWaitingDeps } from '../../operations/why-waiting.js';

/** What the interface for other systems stands on. */
export interface ApiDeps extends OperationDeps, Pick<WhyWaitingDeps, 'seeWorkers'> {
  readonly remoteFiles: SubmitFileInput['remoteFiles'];
  /** Manifests that are sent with reference files stay here, since the files are uploaded while the batch is priced. */
  readonly uploadsFolder: string;
  /** Whether a manifest may name references at addresses of a private network. */
  readonly allowPrivateReferences: boolean;
  /** Of a submission, with its files. Default 256 MB. */
  readonly maxUploadBytes?: number;
  /** Told of what nobody foresaw; the caller learns the id alone. */
  readonly onError?: (error: unknown, requestId: string) => void;
}
