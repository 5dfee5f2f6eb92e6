import type { SubscriptionFacts, Environment, Observation, OneTimeFacts, Store } from '../engine/index.js';

export interface StoreProduct {
  storeIdentifier: string;
  type: 'subscription' | 'one_time' | 'consumable' | 'non_consumable' | 'non_renewing_subscription';
  /** ISO 8601. */
  duration: string | null;
  trialDuration: string | null;
  price: { amountMicros: number; currency: string } | null;
  /** Test Store: its durations pass in minutes instead of months. */
  accelerated?: boolean;
}

/** A purchase posted by an app. Only the token can be trusted. */
export interface PostedReceipt {
  fetchToken: string;
  /** The device's user id at the store, if the store needs one. */
  storeUserId?: string | null;
  productIds: string[];
  price: { amountMicros: number; currency: string } | null;
  /** ISO 3166 alpha-2, if known. */
  country: string | null;
  presentedOfferingId: string | null;
  presentedPlacementId?: string | null;
  /** The targeting rule that chose the offering, as sent to the device. */
  targetingRule?: { id: string; revision: number } | null;
  /** The device reports that it bought in the store's sandbox. */
  isSandbox?: boolean;
  /** ISO 8601. According to the device, the product has an introductory price or a free trial. */
  introDuration?: string | null;
  trialDuration?: string | null;
}

export interface StoreContext {
  nowMs: number;
  /** `nowMs` comes from a test clock, so ignore times from the device. */
  isTestClock?: boolean;
  product(storeIdentifier: string): StoreProduct | undefined;
  /** The posting customer has bought this product before. */
  hadProduct(storeIdentifier: string): boolean;
}

interface VerifiedBase {
  /** Identifies the purchase permanently within its store and environment. */
  key: string;
  /** Key of the subscription that this purchase continues; it is not a subscription of its own. */
  continues?: string;
  /**
   * Set if the store itself names that subscription. The two then join even if each was known as a subscription of its
   * own. If they belong to different customers, they stay apart and `apart` is reported.
   */
  namedByStore?: { apart: UnknownValue };
  /** Key under which earlier versions recorded the purchase; other purchases can have it, too. */
  formerKey?: string;
  /** The store adds nothing after the first post, so posting again has no effect. */
  firstPostStands: boolean;
  /** Do not record the purchase if it is unknown. */
  onlyIfKnown?: boolean;
  /** Key of the subscription sold by the same payment; it has the same owner. */
  soldWith?: string;
  /** Ids that the seller stored with the purchase, of tokens for outside purchases, by priority; unchecked. */
  externalTokenIds?: string[];
  /** The store refunds the purchase unless it is notified that the purchase was recorded. */
  acknowledge?: {
    kind: 'subscription' | 'product';
    productId: string;
    /** Maximum wait, for a product missing from the catalog, until the catalog shows whether it is a consumable. */
    decideByMs?: number;
  };
}

/**
 * A value of an enumerated field that the adapter does not know. It counts as not reported: it grants and ends no
 * access and charges nothing.
 */
export interface UnknownValue {
  /** The store's name of the field. */
  field: string;
  value: string;
}

/** Completes a store's report with what is known about the purchase. Pure. */
export type Settle<Facts> = (facts: Facts, known: Facts) => Facts;

export type VerifiedPurchase =
  | (VerifiedBase & {
      kind: 'subscription';
      observation: Observation<SubscriptionFacts>;
      settle?: Settle<SubscriptionFacts>;
    })
  | (VerifiedBase & {
      kind: 'one_time';
      observation: Observation<OneTimeFacts>;
      settle?: Settle<OneTimeFacts>;
      shouldConsume: boolean;
    });

/**
 * Why a receipt was not verified. `permanent`: it can never be accepted (the SDK finishes the purchase); `temporary`
 * and `credentials`: a later attempt or a changed setting may succeed (the SDK keeps the purchase and retries).
 */
export type VerificationFailure = { unknown?: UnknownValue[] } & (
  | {
      failure: 'permanent';
      /** The purchase ended long ago and the store no longer reports it. Known facts stay unchanged. */
      isOver?: boolean;
      code: 7103 | 7105 | 7106 | 7226 | 7230 | 7662 | 7712;
      message: string;
    }
  | { failure: 'temporary'; code: 7101 | 7229 | 7231 | 7651; message: string; retryAfterMs?: number }
  | { failure: 'credentials'; code: 7101 | 7104 | 7107 | 7230 | 7234; message: string }
);

/** The store's report on the app's installation; null where it reports nothing. */
export interface Installation {
  originalApplicationVersion: string | null;
  originalPurchaseAtMs: number | null;
}

/** A store account, as later notifications name it. */
export interface StoreAccount {
  kind:
    | 'amazon_user_id'
    | 'apple_app_transaction_id'
    | 'paddle_customer_id'
    | 'play_obfuscated_account_id'
    | 'roku_customer_id'
    | 'stripe_customer_id';
  key: string;
}

export interface Verified {
  failure: null;
  environment: Environment;
  purchases: VerifiedPurchase[];
  installation?: Installation;
  accounts?: StoreAccount[];
  /** The app user id that the seller stored at the store; unchecked. A customer is created for it. */
  appUserId?: string;
  /** The project's app that sold it, if it differs from the app that was asked. */
  appId?: string;
  /** App user ids that the purchase may name; those without a customer are ignored. */
  appUserIds?: string[];
  /** Keys of subscriptions that the store could not be asked about; fetch them soon. */
  unfinished?: string[];
  unknown?: UnknownValue[];
}

export interface Refreshed {
  failure: null;
  /** Includes other purchases of the same account. */
  purchases: VerifiedPurchase[];
  accounts?: StoreAccount[];
  /** See `Verified`. */
  appUserId?: string;
  /** The store could not return everything and must be asked again. */
  unfinished: boolean;
  unknown?: UnknownValue[];
}

/** A purchase by its store id, with whatever else the store requires. */
export interface NamedPurchase {
  /** App Store: any transaction id; Google Play: token; Paddle, Stripe: subscription; Amazon: receipt id. */
  id: string;
  /** Amazon: the buyer. */
  storeUserId?: string | null;
}

export interface KeysOfOrders {
  /** Keyed by order id. */
  keys: Map<string, string>;
  /** Orders that the store does not know for this app, or no longer knows. */
  unknown: string[];
  /** Why the remaining orders were not looked up. Null if all were, or if `goOn` stopped. */
  failure: VerificationFailure | null;
}

/** One store. `verify` may call the store, but never the database. */
export interface StoreAdapter {
  readonly store: Store;
  verify(receipt: PostedReceipt, context: StoreContext): Promise<Verified | VerificationFailure>;
  /** Verifies a signed statement about the installation; null if it is not genuine. For stores that have one. */
  verifyInstallation?(
    signed: string,
    nowMs: number,
  ): Promise<{ installation: Installation; accounts: StoreAccount[] } | null>;
  /** Looks up what was bought with an order id from a customer's receipt. For stores with order lookup. */
  order?(orderId: string): Promise<Verified | VerificationFailure>;
  /**
   * Looks up one purchase by an id, which proves nothing about the caller. For imports, where the project itself names
   * the owner. Returns no other purchases of the account.
   */
  lookUp?(named: NamedPurchase): Promise<Verified | VerificationFailure>;
  /**
   * Looks up the purchase that contains a transaction, and the transaction itself. Proves nothing about the caller
   * either.
   */
  identify?(transactionId: string): Promise<Verified | VerificationFailure>;
  /** Returns the keys of purchases that the store names by order. `goOn` is called before each request; false stops. */
  keysOfOrders?(orderIds: string[], goOn: () => Promise<boolean>): Promise<KeysOfOrders>;
  /** Reads the current state of a purchase by its key. For stores that can be queried. */
  refresh?(key: string, environment: Environment): Promise<Refreshed | VerificationFailure>;
}
