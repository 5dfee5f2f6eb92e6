import { deriveOneTime } from '../../../libs/engine/index.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import {
  type OwnedOneTime,
  type OwnedSubscription,
  oneTimeOf,
  ownedSubscription,
} from '../../customers/customers/customer-info/customer-purchases.js';
import type { RedemptionLink } from './redemption-link.entity.js';

/** The purchase of a link, with its owner locked. */
export interface RedeemablePurchase extends Pick<
  RedemptionLink,
  'purchaseKind' | 'purchaseId' | 'appId' | 'store' | 'environment'
> {
  /** The store's key. */
  key: string;
  /** The purchase was refunded, or its last period has ended. */
  hasEnded: boolean;
}

export function ofSubscription({ row, state }: OwnedSubscription): RedeemablePurchase {
  const isRefunded = state.refundedAtMs !== null && !state.givesAccess;
  return {
    purchaseKind: 'subscription',
    purchaseId: row.id,
    appId: row.appId,
    store: row.store,
    environment: row.environment as RedemptionLink['environment'],
    key: row.storeKey,
    hasEnded: state.status === 'expired' || isRefunded,
  };
}

export function ofOneTime(
  { row, state }: Pick<OwnedOneTime, 'row' | 'state'>,
  nowMs: number,
): RedeemablePurchase {
  return {
    purchaseKind: 'one_time',
    purchaseId: row.id,
    appId: row.appId,
    store: row.store,
    environment: row.environment as RedemptionLink['environment'],
    key: row.purchaseKey,
    hasEnded: state.status === 'refunded' || (state.expiresAtMs ?? Infinity) <= nowMs,
  };
}

/** Finds the purchase among a customer's; null if it now has another owner. */
export function purchaseOf(
  customer: CustomerRow,
  { purchaseKind, purchaseId }: Pick<RedemptionLink, 'purchaseKind' | 'purchaseId'>,
  nowMs: number,
): RedeemablePurchase | null {
  const atMs = timeOf(customer, nowMs);
  if (purchaseKind === 'subscription') {
    const row = customer.subscriptions.find(({ id }) => id === purchaseId);
    return row ? ofSubscription(ownedSubscription(row, atMs)) : null;
  }
  const row = customer.purchases.find(({ id }) => id === purchaseId);
  return row ? ofOneTime({ row, state: deriveOneTime(oneTimeOf(row).facts) }, atMs) : null;
}
