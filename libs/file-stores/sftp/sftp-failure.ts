import { connectionFailure } from '../objects/http-exchange.js';
import { FileStoreError, type FileStoreErrorCode } from '../file-store-error.js';
import type { StoreText } from '../store-text.js';

/** Status codes of the protocol. The last two are of later versions. */
export const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
export const FAILURE = 4;
export const UNSUPPORTED = 8;
const NO_SPACE = 14;
const QUOTA_EXCEEDED = 15;

const CODES: Record<number, FileStoreErrorCode> = {
  [NO_SUCH_FILE]: 'not_found',
  [PERMISSION_DENIED]: 'access_denied',
  [NO_SPACE]: 'no_space',
  [QUOTA_EXCEEDED]: 'no_space',
};

const SENTENCES: Partial<Record<FileStoreErrorCode, string>> = {
  not_found: 'The server has no such file, or its folder is missing',
  access_denied: 'The server refused the permission',
  no_space: 'The server has no space left',
};

interface SshError {
  message: string;
  code?: unknown;
  level?: unknown;
}

export function statusOf(error: unknown): number | null {
  const { code } = error as SshError;
  return typeof code === 'number' ? code : null;
}

/** The failure of an operation on a file. Without a status, the connection has failed. */
export function operationFailure(error: unknown, text: StoreText): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const status = statusOf(error);
  if (status === null) {
    return new FileStoreError('unreachable', 'The connection to the server broke.', { isTransient: true });
  }
  const { message } = error as SshError;
  const code = /\b(no space|disk full|quota)\b/i.test(message)
    ? 'no_space'
    : (CODES[status] ?? 'store_error');
  const sentence = SENTENCES[code] ?? 'The server reported an error';
  return new FileStoreError(code, `${sentence} (${status}): ${text(message)}`);
}

/** The failure of connecting and signing in. */
export function sessionFailure(error: unknown, refusal: string | null, text: StoreText): FileStoreError {
  if (error instanceof FileStoreError || refusal !== null) return connectionFailure(error, refusal);
  const { message, level } = error as SshError;
  if (level === 'client-authentication') {
    return new FileStoreError('access_denied', 'The server refused the user name, the password or the key.');
  }
  if (level === 'client-timeout') {
    return new FileStoreError('timeout', 'The server did not answer in time.', { isTransient: true });
  }
  if (/privateKey|passphrase/i.test(message)) {
    return new FileStoreError('access_denied', 'The private key cannot be read, or its passphrase is wrong.');
  }
  if (level === 'handshake' || level === 'protocol') {
    return new FileStoreError('store_error', `The server speaks no common protocol: ${text(message)}`);
  }
  return connectionFailure(error, null);
}
