import type { LoggedDelivery } from './delivery-log.repository.js';

/** A delivery for callers who may not read customers. */
export const withoutEvent = (delivery: LoggedDelivery): LoggedDelivery => ({
  ...delivery,
  appUserId: null,
  productId: null,
  price: null,
  currency: null,
});
