import type { VerificationFailure } from '../contract.js';
import { refused, unpaid } from '../verification-failures.js';
import { credentialsHelp, isInvalidToken, type PlayCallFailed } from './play-errors.js';

const codes = { unavailable: 7101, quota: 7229, refused: 7231 } as const;

export function verificationFailure(failed: PlayCallFailed): VerificationFailure {
  const { failure, message, retryAfterMs } = failed;
  if (isInvalidToken(failed)) return refused(message);
  switch (failure) {
    case 'unknown':
      return refused(message);
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

export const notPaidYet = unpaid('The purchase is not paid yet.');
