import type { LifeStore } from './life.js';

/** Stores whose one-time purchases are tested. */
export type OneTimeStore = LifeStore | 'test_store';

/**
 * First purchase: coins for 0.99 USD, three of them at once, or lifetime `pro` for 199 USD, which can be
 * shared by the family. `pending` coins have a delayed payment.
 */
export type OneTimeStart = 'coins' | 'three' | 'lifetime' | 'shared' | 'pending';

/** Things that can happen to the latest purchase. */
export type OneTimeHappening =
  | 'buyCoins'
  | 'buyLifetime'
  /** A payment that was pending is made, or never will be. */
  | 'pay'
  | 'dropPayment'
  | 'refund'
  /** One of three pieces. */
  | 'refundOne'
  /** Half of the money; what was bought stays. */
  | 'refundHalf'
  /** Half of the money for all of what was bought. */
  | 'revokeForHalf'
  | 'reverseRefund'
  /** The customer's bank takes the money back. */
  | 'chargeBack'
  | 'askForRefund'
  | 'declineRefund'
  | 'stopSharing';

/** The state of a customer's one-time purchases. */
export interface OneTimeEnd {
  /** `three coins, owned`, oldest first. */
  purchases: string[];
  /** `pro` is unlocked, and for ever. */
  unlocked: boolean;
  /** What the coins credited, 100 GEMS each, less what refunds took back. */
  gems: number;
  /** USD that the ledger holds. */
  gross: number;
  /** Events of the purchases with their reasons. */
  events: string[];
}

export interface OneTimeLife extends OneTimeEnd {
  name: string;
  start: OneTimeStart;
  steps: [day: number, happening: OneTimeHappening][];
  /** Final answer to the app; default 200. */
  answer?: Partial<Record<OneTimeStore, number>>;
  /** Stores without such lives, and why. */
  not?: Partial<Record<OneTimeStore, string>>;
}

/** A store that sells once. */
export interface OneTimeDriver<Life, Sent> {
  store: OneTimeStore;
  /** Store identifiers in the catalog. */
  coins: string;
  lifetime: string;
  starts: Partial<Record<OneTimeStart, () => Life>>;
  /** Each gives the news of it that the store sends. */
  happenings: Partial<Record<OneTimeHappening, (life: Life) => Sent | Promise<Sent>>>;
  /** The app posts each purchase that it has now; gives the statuses. */
  post(life: Life, appUserId: string): Promise<number[]>;
  deliver(sent: Sent): Promise<void>;
}
