import type { VerificationFailure } from '../contract.js';
import { credentialsHelp, isInvalidToken, type PlayCallFailed } from './play-errors.js';

const codes = { unavailable: 7101, quota: 7229, refused: 7231 } as const;

export function verificationFailure(failed: PlayCallFailed): VerificationFailure {
  const { failure, message, retryAfterMs } = failed;
  if (isInvalidToken(failed)) return { failure: 'permanent', code: 7103, message };
  switch (failure) {
    case 'unknown':
      return { failure: 'permanent', code: 7103, message };
    case 'gone':
      return { failure: 'permanent', isOver: true, code: 7103, message };
    case 'credentials':
      return { failure, code: 7107, message: credentialsHelp(failed) };
    case 'package':
      return { failure: 'credentials', code: 7230, message: credentialsHelp(failed) };
    // The device finishes a purchase on a 4xx, and this one may be valid.
    case 'refused':
    case 'unavailable':
    case 'quota':
      return {
        failure: 'temporary',
        code: codes[failure],
        message,
        ...(retryAfterMs !== null && { retryAfterMs }),
      };
  }
}

/** This is not a refusal: the SDK would finish a purchase that is paid for tomorrow. */
export const notPaidYet: VerificationFailure = {
  failure: 'temporary',
  code: 7651,
  message: 'The purchase is not paid yet.',
};
