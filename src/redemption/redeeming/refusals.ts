import { ApiError } from '../../platform/http/errors/api-error.js';
import { obfuscatedEmail } from '../links/redemption-link.policy.js';

/** Reasons why a token cannot be redeemed, with the codes that SDKs expect. */
export const refusals = {
  invalid: () => new ApiError('invalid_request', 'Invalid redemption token.', { code: 7849 }),
  otherCustomer: () =>
    new ApiError('invalid_request', 'The purchase belongs to another customer.', { code: 7852 }),
  /** `email` is the address that a new link was mailed to. */
  expired: (email: string | null) =>
    new ApiError('invalid_request', 'The redemption token has expired.', {
      code: 7853,
      ...(email !== null && { obfuscatedEmail: obfuscatedEmail(email) }),
    }),
};
