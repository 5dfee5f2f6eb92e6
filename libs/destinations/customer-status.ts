import type { AutoRenewalStatus, PeriodType, SubscriptionStatus } from '../engine/index.js';
import type { CustomerStatus } from './definition.js';

/** The present state of a subscription or a grant. */
export interface StatedSubscription {
  isGrant: boolean;
  givesAccess: boolean;
  status: SubscriptionStatus;
  /** The type of the latest period. */
  periodType: PeriodType;
  autoRenewalStatus: AutoRenewalStatus;
}

/** A pause that is only scheduled counts as renewing. */
export function customerStatus(subscription: StatedSubscription): CustomerStatus {
  const { isGrant, givesAccess, status, periodType, autoRenewalStatus } = subscription;
  if (isGrant) return givesAccess ? 'promotional' : 'expired_promotional';
  if (status === 'paused') return 'paused';
  const isTrial = periodType === 'trial';
  if (status === 'in_grace_period') return isTrial ? 'grace_period_trial' : 'grace_period';
  if (!givesAccess) return 'expired';
  if (autoRenewalStatus === 'will_not_renew') return isTrial ? 'cancelled_trial' : 'cancelled';
  if (isTrial) return 'trial';
  return periodType === 'intro' ? 'intro' : 'active';
}
