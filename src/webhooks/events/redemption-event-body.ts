import type { PurchaseRedeemedEventDto } from './customer-event.dto.js';
import type { EventHead } from './event-body.js';

export interface Redemption {
  appUserId: string;
  appId: string | null;
  store: string;
  environment: string;
  /** All previous ids of the owner; null if the redeemer already owned the purchase. */
  redeemedFrom: string[] | null;
  /** All previous ids of the redeemer, starting with the one in the request. */
  redeemedBy: string[];
  outcome: 'alias' | 'transfer' | 'redeemer_owns';
  platform: string | null;
  productId: string;
  entitlementLookupKeys: string[];
  linkId: string;
}

/** The webhook `event` object of a web purchase redeemed in an app. */
export function redemptionEventBody(head: EventHead, redemption: Redemption): PurchaseRedeemedEventDto {
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
