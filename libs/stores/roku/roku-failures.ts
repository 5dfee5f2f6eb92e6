import type { VerificationFailure } from '../contract.js';
import { RokuCallFailed } from './roku-call-failed.js';

export const keyMissing: VerificationFailure = {
  failure: 'credentials',
  code: 7101,
  message: 'The app has no Roku Pay API key (roku_api_key).',
};

export function refused(message: string): VerificationFailure {
  return { failure: 'permanent', code: 7103, message };
}

export function failureOf(error: unknown): VerificationFailure {
  if (!(error instanceof RokuCallFailed)) throw error;
  const { failure, message, retryAfterMs } = error;
  if (failure === 'credentials') return { failure, code: 7101, message };
  if (failure === 'unknown') return refused(message);
  return { failure: 'temporary', code: 7101, message, ...(retryAfterMs !== null && { retryAfterMs }) };
}

export function isUnknown(error: unknown): boolean {
  return error instanceof RokuCallFailed && error.failure === 'unknown';
}
