// Not the index, which loads the libraries of all stores.
import type { PurchaseKind } from '../stores/index.js';
import type { TargetingRequest } from './request.js';

/** Reasons of refund requests: those of the App Store, Google's only one, and none. */
export const refundReasons = [
  'UNINTENDED_PURCHASE',
  'FULFILLMENT_ISSUE',
  'UNSATISFIED_WITH_PURCHASE',
  'LEGAL',
  'OTHER',
  'CHARGEBACK',
  'NONE',
] as const;

/**
 * What a refund request is decided by, under the names of the condition fields. Absent: unknown. Stored with the
 * request, so that later changes of the customer never alter a decision.
 */
export interface RefundFacts {
  /** Rollouts depend on it. */
  original_app_user_id: string;
  /** App of the purchase. */
  app_config: string;
  country?: string;
  platform?: string;
  app_version?: string;
  /** The SDK of `sdk_version`: `ios`, `react-native`. */
  sdk_flavor?: string;
  sdk_version?: string;
  /** Values of the attributes that policies used at the time; null for one that the customer did not have. */
  custom_attribute: Readonly<Record<string, string | null>>;
  /** As the store sent it; `NONE` if it sent none. */
  refund_reason: string;
  /** Product id of the project. */
  product?: string;
  purchase_kind?: PurchaseKind;
  days_since_purchase?: number;
  days_since_first_purchase?: number;
  days_since_last_seen?: number;
  paid_periods?: number;
  refunds_before?: number;
  requests_before?: number;
  lifetime_usd?: number;
  refunded_usd?: number;
  price_usd?: number;
  /** Share of the purchase that was used, from 0 to 100. */
  consumed_percent?: number;
}

/** Returns the request that conditions on the app, the device and the customer's attributes are evaluated for. */
export function requestOf(facts: RefundFacts): TargetingRequest {
  const attributes = new Map<string, string>();
  for (const [name, value] of Object.entries(facts.custom_attribute))
    if (value !== null) attributes.set(name, value);
  return {
    appUserId: facts.original_app_user_id,
    appId: facts.app_config,
    country: facts.country ?? null,
    platform: facts.platform ?? null,
    appVersion: facts.app_version ?? null,
    sdkFlavor: facts.sdk_flavor ?? null,
    sdkVersion: facts.sdk_version ?? null,
    attributes,
  };
}
