import { dimensions } from './dimensions.js';

const ids = dimensions.map(({ id }) => id);
const without = (list: readonly string[], ...left: string[]): string[] =>
  list.filter((id) => !left.includes(id));
const monthsOnly = ['first_purchase_month', 'install_month'];
const ofRuns = 'subscription_type';
const ofRevenue = ['transaction_type', 'channel'];
const customerIds = dimensions.filter(({ kind }) => kind === 'customer').map(({ id }) => id);

/** What revenue charts can be split by. */
export const revenueSegments = ids;
export const revenueFilters = without(ids, ...monthsOnly);

/** The same of charts that count subscriptions. */
export const subscriptionSegments = without(ids, ...ofRevenue);
export const subscriptionFilters = without(subscriptionSegments, ...monthsOnly);

export const customerSegments = ['country', ...customerIds];
export const customerFilters = without(customerSegments, ...monthsOnly);

/** Of charts that relate purchases to customers. Several products or offers of one customer would count twice. */
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
