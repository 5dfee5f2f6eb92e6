import type { SubscriptionFacts, Environment, Observation, OneTimeFacts, Store } from '../engine/index.js';

/** A product of the calling app, as far as a store's answer needs it. */
export interface StoreProduct {
  storeIdentifier: string;
  type: 'subscription' | 'one_time' | 'consumable' | 'non_consumable' | 'non_renewing_subscription';
  /** ISO 8601. */
  duration: string | null;
  trialDuration: string | null;
  price: { amountMicros: number; currency: string } | null;
  /** Of the Test Store: minutes stand for the months of its durations. */
  accelerated?: boolean;
}

/** What an app posted. Everything in it but the token is the device's word. */
export interface PostedReceipt {
  fetchToken: string;
  /** Who the device is to the store, where the store asks for that. */
  storeUserId?: string | null;
  productIds: string[];
  price: { amountMicros: number; currency: string } | null;
  /** ISO 3166 alpha-2 where known. */
  country: string | null;
  presentedOfferingId: string | null;
  /** The device bought in the sandbox of the store, as it says. */
  isSandbox?: boolean;
}

/** What surrounds a posted receipt. */
export interface StoreContext {
  nowMs: number;
  /** `nowMs` is that of a test clock: what the device says of the time does not count. */
  isTestClock?: boolean;
  /** Looks a product of the app up by its store identifier. */
  product(storeIdentifier: string): StoreProduct | undefined;
  /** The posting customer has bought this product before. */
  hadProduct(storeIdentifier: string): boolean;
}

interface VerifiedBase {
  /** Names the purchase for ever within its store and environment. */
  key: string;
  /** Key of the subscription that the purchase goes on with: it is no subscription of its own. */
  continues?: string;
  /** The store has nothing to add to a purchase it has vouched for once: a repeated post changes nothing. */
  firstPostStands: boolean;
  /** Nothing is recorded of a purchase that was not known before. */
  onlyIfKnown?: boolean;
  /** The store is to be told that the purchase was recorded: it takes it back otherwise. */
  acknowledge?: {
    kind: 'subscription' | 'product';
    productId: string;
    /** A product that the catalog lacks may wait so long for the catalog to learn whether it is a consumable. */
    decideByMs?: number;
  };
}

/** What a store's words mean in the light of what is known of the purchase. Pure. */
export type Settle<Facts> = (facts: Facts, known: Facts) => Facts;

/** One purchase that a store vouches for. */
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
 * Why a receipt was not verified. `permanent`: it can never be accepted (the SDK finishes the purchase);
 * `temporary` and `credentials`: time or a setting can cure it (the SDK keeps the purchase and tries again).
 */
export type VerificationFailure =
  | {
      failure: 'permanent';
      /** It was over long ago: the store does not tell of it any more. What is known of it stays. */
      isOver?: boolean;
      code: 7103 | 7105 | 7106 | 7226 | 7230 | 7662 | 7712;
      message: string;
    }
  | { failure: 'temporary'; code: 7101 | 7229 | 7231 | 7651; message: string; retryAfterMs?: number }
  | { failure: 'credentials'; code: 7101 | 7104 | 7107 | 7230 | 7234; message: string };

/** What the store says about the installation of the app; null where it says nothing. */
export interface Installation {
  originalApplicationVersion: string | null;
  originalPurchaseAtMs: number | null;
}

/** An account of the store, as later notifications name it. */
export interface StoreAccount {
  kind: 'apple_app_transaction_id' | 'play_obfuscated_account_id' | 'stripe_customer_id' | 'amazon_user_id';
  key: string;
}

export interface Verified {
  failure: null;
  environment: Environment;
  purchases: VerifiedPurchase[];
  /** What else the receipt shows. */
  installation?: Installation;
  accounts?: StoreAccount[];
  /** Keys of subscriptions that the store could not be asked about: what it says of them is to be fetched soon. */
  unfinished?: string[];
}

/** What a store says of a purchase when it is asked. */
export interface Refreshed {
  failure: null;
  /** Also others of the same account. */
  purchases: VerifiedPurchase[];
  accounts?: StoreAccount[];
  /** The store could not tell everything: it is to be asked again. */
  unfinished: boolean;
}

/** One store. `verify` may call the store, never the database. */
export interface StoreAdapter {
  readonly store: Store;
  verify(receipt: PostedReceipt, context: StoreContext): Promise<Verified | VerificationFailure>;
  /** What a signed word about the installation tells; null when it is not genuine. For stores that have one. */
  verifyInstallation?(
    signed: string,
    nowMs: number,
  ): Promise<{ installation: Installation; accounts: StoreAccount[] } | null>;
  /** What was bought with an order whose id customers read out. For stores that can be asked. */
  order?(orderId: string): Promise<Verified | VerificationFailure>;
  /** Asks the store about a purchase by its key. For stores that can be asked. */
  refresh?(key: string, environment: Environment): Promise<Refreshed | VerificationFailure>;
}
