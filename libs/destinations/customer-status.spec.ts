import { customerStatus, type StatedSubscription } from './customer-status.js';

const active: StatedSubscription = {
  isGrant: false,
  givesAccess: true,
  status: 'active',
  periodType: 'normal',
  autoRenewalStatus: 'will_renew',
};

describe('the status of a customer', () => {
  it.each<[Partial<StatedSubscription>, string]>([
    [{ isGrant: true, periodType: 'promotional' }, 'promotional'],
    [{ isGrant: true, periodType: 'promotional', givesAccess: false }, 'expired_promotional'],
    [{ status: 'paused', givesAccess: false }, 'paused'],
    [{ status: 'in_grace_period', periodType: 'trial' }, 'grace_period_trial'],
    [{ status: 'in_grace_period' }, 'grace_period'],
    [{ status: 'in_grace_period', periodType: 'intro' }, 'grace_period'],
    [{ status: 'trialing', periodType: 'trial' }, 'trial'],
    [{ status: 'trialing', periodType: 'trial', autoRenewalStatus: 'will_not_renew' }, 'cancelled_trial'],
    [{ periodType: 'intro' }, 'intro'],
    [{ periodType: 'intro', autoRenewalStatus: 'will_not_renew' }, 'cancelled'],
    [{}, 'active'],
    [{ periodType: 'prepaid' }, 'active'],
    [{ autoRenewalStatus: 'will_not_renew' }, 'cancelled'],
    [{ autoRenewalStatus: 'will_change_product' }, 'active'],
    [{ autoRenewalStatus: 'will_pause' }, 'active'],
    [{ status: 'expired', givesAccess: false, periodType: 'trial' }, 'expired'],
    [{ status: 'in_billing_retry', givesAccess: false }, 'expired'],
  ])('follows from %j: %s', (change, status) => {
    expect(customerStatus({ ...active, ...change })).toBe(status);
  });
});
