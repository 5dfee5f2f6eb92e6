import type { VerificationFailure } from '../contract.js';
import { refused, unavailable } from '../verification-failures.js';
import { RokuCallFailed } from './roku-call-failed.js';

export const keyMissing: VerificationFailure = {
  failure: 'credentials',
  code: 7101,
  message: 'The app has no Roku Pay API key (roku_api_key).',
};

export function failureOf(error: unknown): VerificationFailure {
  if (!(error instanceof RokuCallFailed)) throw error;
  const { failure, message } = error;
  if (failure === 'credentials') return { failure, code: 7101, message };
  return failure === 'unknown' ? refused(message) : unavailable(error);
}

export function isUnknown(error: unknown): boolean {
  return error instanceof RokuCallFailed && error.failure === 'unknown';
}
