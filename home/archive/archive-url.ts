import { readS3Address, s3Url } from '../../archive/s3/s3-address.js';
import { absoluteUrl } from '../absolute-url.js';

/** What is wrong with an archive's address; null when it can be used. */
export function archiveProblem(url: string): string | null {
  if (/^file:./.test(url)) return null;
  if (!url.startsWith('s3:')) return 'must begin with file: or s3://';
  try {
    readS3Address(url);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Normalises the address: a folder's absolute path, a bucket without a slash at the end. */
export function archiveUrl(url: string, cwd: string): string {
  return url.startsWith('s3:') ? s3Url(readS3Address(url)) : absoluteUrl('file:', url, cwd);
}
