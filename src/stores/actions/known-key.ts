import type { SubscriptionRow } from '../../customers/customers/identity/customer-state.js';
import { keyStateOf } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

/** @throws ApiError 422 while an imported Google Play subscription lacks the purchase token that Google requires */
export function assertKeyKnown(row: SubscriptionRow): void {
  if (keyStateOf(row) !== 'token_needed') return;
  throw new ApiError('impossible', 'The subscription was imported and has no purchase token yet.');
}
