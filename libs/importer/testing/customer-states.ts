import type { CustomerState } from '../verify/verify.model.js';

/** A customer with one subscription that grants `pro` until a time. */
export function customerState(
  changes: Partial<CustomerState> & { proUntil?: number | null } = {},
): CustomerState {
  const { proUntil = 1_800_000_000_000, ...rest } = changes;
  return {
    id: 'ada',
    entitlements: new Map([['pro', proUntil]]),
    accessSubscriptions: [{ id: 'sub1', storeIdentifier: '2001', environment: 'production' }],
    held: [],
    ownedPurchases: null,
    balances: null,
    ...rest,
  };
}
