import type { EventHead } from './event-body.js';

export interface Redemption {
  appUserId: string;
  appId: string | null;
  store: string;
  environment: string;
  /** All ids of the owner before; null if the redeemer owned the purchase already. */
  redeemedFrom: string[] | null;
  /** All ids of the redeemer before, the one of the request first. */
  redeemedBy: string[];
  outcome: 'alias' | 'transfer' | 'redeemer_owns';
  platform: string | null;
  productId: string;
  entitlementLookupKeys: string[];
  linkId: string;
}

/** A purchase made on the web was redeemed in an app. */
export function redemptionEventBody(head: EventHead, redemption: Redemption): object {
  const { entitlementLookupKeys } = redemption;
  return {
    id: head.id,
    type: 'PURCHASE_REDEEMED',
    event_timestamp_ms: head.createdAtMs,
    sequence: head.sequence,
    app_id: redemption.appId ?? undefined,
    app_user_id: redemption.appUserId,
    store: redemption.store.toUpperCase(),
    environment: redemption.environment.toUpperCase(),
    redeemed_from: redemption.redeemedFrom,
    redeemed_by: redemption.redeemedBy,
    redemption_outcome: redemption.outcome,
    redemption_platform: redemption.platform,
    product_id: redemption.productId,
    entitlement_ids: entitlementLookupKeys.length > 0 ? entitlementLookupKeys : null,
    workflow_id: null,
    workflow_step_id: null,
    trace_id: redemption.linkId,
  };
}
