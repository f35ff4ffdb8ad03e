import type { S3Connection } from './s3-connection.js';

/** Every key below a prefix, in the store's order; with a delimiter the names right below it, each with a slash. */
export async function listKeys(
  { bucket, call }: S3Connection,
  prefix: string,
  delimiter?: '/',
): Promise<readonly string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const page = await call(`list "${prefix}"`, (s3) =>
      s3.listObjectsV2({
        ...{ Bucket: bucket, Prefix: prefix },
        ...(delimiter && { Delimiter: delimiter }),
        ...(token !== undefined && { ContinuationToken: token }),
      }),
    );
    const found = delimiter
      ? (page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix)
      : (page.Contents ?? []).map(({ Key }) => Key);
    keys.push(...found.flatMap((key) => key ?? []));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return keys;
}
