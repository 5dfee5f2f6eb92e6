import { type CustomerColumn, isCustomerColumn, type PurchaseColumn } from '../definitions/dimensions.js';

/**
 * Dimensions by whose values cohorts are summed. Charts of cohorts have no country of the purchase: they split by the
 * country of the customer.
 */
export const cohortLevels = [
  'customer_country',
  'platform',
  'media_source',
  'install_month',
  'app_id',
  'store',
  'product_id',
  'product_duration',
  'channel',
  'offering_identifier',
  'offer_type',
] as const satisfies readonly (CustomerColumn | PurchaseColumn)[];

export type CohortLevel = (typeof cohortLevels)[number];

/** A level with more different sets of values is dropped for its project. */
export const MAX_SETS = 5_000;

export function isCohortLevel(column: string): column is CohortLevel {
  return (cohortLevels as readonly string[]).includes(column);
}

/** Whether the values of a level belong to customers, not to purchases. */
export function isOfCustomers(level: CohortLevel): boolean {
  return isCustomerColumn(level);
}
