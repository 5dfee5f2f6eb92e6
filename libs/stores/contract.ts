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

/** What an app posted. Only the token can be trusted. */
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
  /** The targeting rule that chose the offering, as the device was told. */
  targetingRule?: { id: string; revision: number } | null;
  /** The device says that it bought in the store's sandbox. */
  isSandbox?: boolean;
  /** ISO 8601: the product has an introductory price, or a free trial, according to the device. */
  introDuration?: string | null;
  trialDuration?: string | null;
}

export interface StoreContext {
  nowMs: number;
  /** `nowMs` is that of a test clock, so times from the device do not count. */
  isTestClock?: boolean;
  product(storeIdentifier: string): StoreProduct | undefined;
  /** The posting customer has bought this product before. */
  hadProduct(storeIdentifier: string): boolean;
}

interface VerifiedBase {
  /** Identifies the purchase permanently within its store and environment. */
  key: string;
  /** Key of the subscription that this purchase continues; it is no subscription of its own. */
  continues?: string;
  /** The store adds nothing after the first post: posting again changes nothing. */
  firstPostStands: boolean;
  /** Record nothing if the purchase was unknown before. */
  onlyIfKnown?: boolean;
  /** Key of the subscription that the same payment sold; it has the same owner. */
  soldWith?: string;
  /** The store must be told that the purchase was recorded, or it refunds it. */
  acknowledge?: {
    kind: 'subscription' | 'product';
    productId: string;
    /** How long a product missing in the catalog may wait until the catalog says whether it is a consumable. */
    decideByMs?: number;
  };
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
 * and `credentials`: time or a setting can resolve it (the SDK keeps the purchase and retries).
 */
export type VerificationFailure =
  | {
      failure: 'permanent';
      /** It ended long ago and the store no longer reports it. What is known stays. */
      isOver?: boolean;
      code: 7103 | 7105 | 7106 | 7226 | 7230 | 7662 | 7712;
      message: string;
    }
  | { failure: 'temporary'; code: 7101 | 7229 | 7231 | 7651; message: string; retryAfterMs?: number }
  | { failure: 'credentials'; code: 7101 | 7104 | 7107 | 7230 | 7234; message: string };

/** What the store says about the app's installation; null where it says nothing. */
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
  /** The app user id that the seller noted at the store; unchecked. A customer is created for it. */
  appUserId?: string;
  /** The app of the project that sold it, if it is not the one that was asked. */
  appId?: string;
  /** App user ids that the purchase may name; those without a customer are ignored. */
  appUserIds?: string[];
  /** Keys of subscriptions that the store could not be asked about, to be fetched soon. */
  unfinished?: string[];
}

export interface Refreshed {
  failure: null;
  /** Including others of the same account. */
  purchases: VerifiedPurchase[];
  accounts?: StoreAccount[];
  /** As in `Verified`. */
  appUserId?: string;
  /** The store could not return everything and must be asked again. */
  unfinished: boolean;
}

/** A purchase by its id at the store, with what the store needs besides. */
export interface NamedPurchase {
  /** App Store: any transaction id; Google Play: token; Paddle, Stripe: subscription; Amazon: receipt id. */
  id: string;
  /** Amazon: the buyer. */
  storeUserId?: string | null;
}

export interface KeysOfOrders {
  /** By order id. */
  keys: Map<string, string>;
  /** The store knows no such order of the app, or no longer. */
  unknown: string[];
  /** Why it was not asked about the others; null if it was. */
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
  /** What was bought with an order id from a customer's receipt. For stores with order lookup. */
  order?(orderId: string): Promise<Verified | VerificationFailure>;
  /**
   * What the store knows of one purchase by an id, which proves nothing about the caller: for imports, where the project
   * itself says whose it is. Nothing else of the same account.
   */
  lookUp?(named: NamedPurchase): Promise<Verified | VerificationFailure>;
  /** The purchase that a transaction is part of, and what the store says of that one transaction. Proves nothing, too. */
  identify?(transactionId: string): Promise<Verified | VerificationFailure>;
  /** The keys of purchases that the store names by order. `goOn` is asked before each call; false stops. */
  keysOfOrders?(orderIds: string[], goOn: () => Promise<boolean>): Promise<KeysOfOrders>;
  /** Reads the current state of a purchase by its key. For stores that can be asked. */
  refresh?(key: string, environment: Environment): Promise<Refreshed | VerificationFailure>;
}
