import type { VerificationFailure } from './contract.js';

/** The store does not confirm the purchase. */
export function refused(message: string): VerificationFailure {
  return { failure: 'permanent', code: 7103, message };
}

/** This is not a refusal: the SDK would finish a purchase that is paid for later. */
export function unpaid(message: string): VerificationFailure {
  return { failure: 'temporary', code: 7651, message };
}

interface FailedCall {
  message: string;
  retryAfterMs: number | null;
}

/** The store did not answer, or may answer differently later. */
export function unavailable({ message, retryAfterMs }: FailedCall): VerificationFailure {
  return { failure: 'temporary', code: 7101, message, ...(retryAfterMs !== null && { retryAfterMs }) };
}
