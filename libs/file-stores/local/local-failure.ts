import { FileStoreError } from '../file-store-error.js';

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

export const hasCode = (error: unknown, ...codes: string[]): boolean => codes.includes(codeOf(error));

export function localFailure(error: unknown, key: string): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const code = codeOf(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new FileStoreError('no_space', `There is no space left for ${key} (${code}).`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new FileStoreError('access_denied', `The server has no permission for ${key} (${code}).`);
    case 'ELOOP':
    case 'ENOTDIR':
      return new FileStoreError(
        'access_denied',
        `A symbolic link or a file is in the path of ${key} (${code}).`,
      );
    case 'ENOENT':
      return new FileStoreError('not_found', `There is no ${key}, or its folder is missing.`);
    default:
      return new FileStoreError('store_error', `The file system failed for ${key}${code && ` (${code})`}.`);
  }
}
