import { ApiProblem } from './problem.js';

/** As many as 2,000 row ids of the greatest length fit. */
const maxJsonBytes = 1024 * 1024;

/** @throws ApiProblem for a body of another type, one that is too large, and one that is no JSON. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ApiProblem('unsupported-media-type', 'Cannot read the body: send it as application/json');
  }
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiProblem('invalid-request', 'Cannot read the body: it is not JSON');
  }
}

/** It is not read to its end where it is too large, nor at all where it says so. */
async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxJsonBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxJsonBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(): ApiProblem {
  return new ApiProblem('payload-too-large', `Cannot read the body: it has more than ${maxJsonBytes} bytes`);
}
