/** Where a bucket keeps an archive. */
export interface S3Address {
  readonly bucket: string;
  /** Without a slash at either end; empty for the whole bucket. */
  readonly prefix: string;
}

/**
 * Reads `s3://bucket/prefix`.
 *
 * @throws RangeError that says what is wrong with it.
 */
export function readS3Address(url: string): S3Address {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(parsed.host)) {
    throw new RangeError('must be s3://bucket or s3://bucket/prefix');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new RangeError('must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE');
  }
  if (parsed.search !== '' || parsed.hash !== '') {
    throw new RangeError('must end with its prefix: set the region by AWS_REGION, the endpoint by AWS_ENDPOINT_URL_S3');
  }
  const prefix = parsed.pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !prefix.split('/').every((part) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part))) {
    throw new RangeError('must have a prefix of letters, digits, ".", "_" and "-"');
  }
  return { bucket: parsed.host, prefix };
}

/** The address as it is shown. */
export function s3Url({ bucket, prefix }: S3Address): string {
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}
