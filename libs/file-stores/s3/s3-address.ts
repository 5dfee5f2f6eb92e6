import { encoded } from '../objects/object-path.js';
import { FileStoreError } from '../file-store-error.js';
import type { S3Settings } from '../settings.js';

export const DEFAULT_REGION = 'us-east-1';

function endpointOf({ endpoint }: S3Settings, region: string): URL {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const text = endpoint || `https://s3.${region}.${suffix}`;
  if (!URL.canParse(text)) throw new FileStoreError('internal', 'The endpoint is not a URL.');
  return new URL(text);
}

/** The URL of a bucket, without a slash at the end. */
export function bucketUrl(settings: S3Settings, region: string): string {
  const { bucket, endpoint, path_style: pathStyle } = settings;
  const url = endpointOf(settings, region);
  // A certificate for *.s3.amazonaws.com does not cover a name with more dots.
  const isInPath = pathStyle ?? (Boolean(endpoint) || bucket.includes('.'));
  const base = url.pathname.replace(/\/+$/, '');
  return isInPath
    ? `${url.protocol}//${url.host}${base}/${encoded(bucket)}`
    : `${url.protocol}//${bucket}.${url.host}${base}`;
}
