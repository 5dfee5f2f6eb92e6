import { dimensions } from './dimensions.js';

const ids = dimensions.map(({ id }) => id);
const without = (list: readonly string[], ...left: string[]): string[] =>
  list.filter((id) => !left.includes(id));
const monthsOnly = ['first_purchase_month', 'install_month'];
const ofRuns = 'subscription_type';
const ofRevenue = ['transaction_type', 'channel'];
const customerIds = dimensions.filter(({ kind }) => kind === 'customer').map(({ id }) => id);

/** Dimensions that split revenue charts. */
export const revenueSegments = ids;
export const revenueFilters = without(ids, ...monthsOnly);

/** Dimensions that split and filter charts of subscriptions. */
export const subscriptionSegments = without(ids, ...ofRevenue);
export const subscriptionFilters = without(subscriptionSegments, ...monthsOnly);

export const customerSegments = ['country', ...customerIds];
export const customerFilters = without(customerSegments, ...monthsOnly);

/**
 * Dimensions of charts that relate purchases to customers. They cannot be split by product or offer, because a customer
 * with several would count twice.
 */
export const conversionFilters = without(ids, ...monthsOnly, ofRuns, 'transaction_type', 'renewal_cycle');
export const conversionSegments = [
  ...without(
    conversionFilters,
    'product_id',
    'offering_identifier',
    'placement',
    'targeting_rule',
    'offer',
    'offer_type',
  ),
  ...monthsOnly,
];
export const ltvSegments = [...conversionFilters, ...monthsOnly];

/** Dimensions of charts of paywalls. Purchases filter only what customers did after a view. */
export const paywallSegments = ['paywall', ...customerSegments];
export const paywallFilters = ['paywall', ...conversionFilters];
export const encounterFilters = ['paywall', ...customerFilters];
