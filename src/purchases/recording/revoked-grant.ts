import { applySubscription, type SubscriptionChange, grantRevocation } from '../../../libs/engine/index.js';
import type { OwnedSubscription } from '../../customers/customers/customer-info/customer-purchases.js';

export function revokedGrant({ subscription, state }: OwnedSubscription, nowMs: number): SubscriptionChange {
  const grant = { key: subscription.storeKey, grantedAtMs: state.startedAtMs };
  return applySubscription(subscription, grantRevocation(grant, nowMs), nowMs);
}
