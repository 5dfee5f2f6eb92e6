import { FileStoreError } from './file-store-error.js';

/** S3 and Azure limit names to 1,024 bytes. */
const MAX_BYTES = 1024;

const FORBIDDEN = /[\x00-\x1f\x7f\\]/;

/** The segments of a key: a relative path that stays below its folder on every store. @throws FileStoreError `internal` */
export function segmentsOf(key: string): [folders: string[], name: string] {
  const segments = key.split('/');
  const isSafe = segments.every((segment) => !['', '.', '..'].includes(segment) && !FORBIDDEN.test(segment));
  if (!isSafe || Buffer.byteLength(key) > MAX_BYTES || !key.isWellFormed()) {
    throw new FileStoreError('internal', 'The name of the file is not a path below a folder.');
  }
  return [segments.slice(0, -1), segments.at(-1) ?? ''];
}

/** The name of a file that is not complete, in the same folder. */
export const partialName = (name: string): string => `.${name}.part`;
