import type { Asset } from '../api/contract.js';
import type { Answer } from './calls.js';
import { Violation } from './clause.js';
import type { Service } from './service.js';

export interface Downloaded {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
}

/**
 * Downloads the file of an asset by its URL alone.
 *
 * @throws Violation when it does not arrive
 */
export async function download(service: Service, { type, url }: Asset, listing: Answer): Promise<Downloaded> {
  try {
    const response = await service.fetch(new Request(url));
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw new Violation(`answered the download of the ${type} with ${response.status}`, listing);
    if (bytes.byteLength === 0) throw new Violation(`gave an empty file for the ${type}`, listing);
    return { bytes, contentType: response.headers.get('content-type') };
  } catch (error) {
    if (error instanceof Violation) throw error;
    throw new Violation(`did not send the ${type}`, listing);
  }
}
