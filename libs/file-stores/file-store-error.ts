export type FileStoreErrorCode =
  | 'access_denied'
  | 'not_found'
  | 'wrong_region'
  | 'host_key_changed'
  | 'address_refused'
  | 'timeout'
  | 'unreachable'
  | 'store_error'
  | 'no_space'
  | 'already_exists'
  /** There is neither an upload nor a file to complete. */
  | 'upload_lost'
  | 'internal';

interface Details {
  /** Whether the same request may succeed a moment later. */
  isTransient?: boolean;
  /** The SFTP server's key, if it is not the pinned one. */
  seenHostKey?: string;
}

/** A failed operation of a file store. The message is a sentence for the user who configured it, without credentials. */
export class FileStoreError extends Error {
  readonly isTransient: boolean;
  readonly seenHostKey: string | null;

  constructor(
    readonly code: FileStoreErrorCode,
    message: string,
    { isTransient = false, seenHostKey }: Details = {},
  ) {
    super(message);
    this.name = 'FileStoreError';
    this.isTransient = isTransient;
    this.seenHostKey = seenHostKey ?? null;
  }
}

export const isFileStoreError = (error: unknown, ...codes: FileStoreErrorCode[]): error is FileStoreError =>
  error instanceof FileStoreError && (codes.length === 0 || codes.includes(error.code));

export function alreadyExists(key: string): FileStoreError {
  return new FileStoreError('already_exists', `Another file is already stored as ${key}.`);
}

export function uploadLost(key: string): FileStoreError {
  return new FileStoreError('upload_lost', `The store no longer has the upload of ${key}.`);
}

export function tooLarge(key: string, maxBytes: number): FileStoreError {
  return new FileStoreError('store_error', `${key} has more than ${maxBytes} bytes.`);
}
