/** Stores whose purchases are lived through. */
export type LifeStore = 'amazon' | 'app_store' | 'paddle' | 'play_store' | 'roku' | 'stripe';

/**
 * First period of a subscription: a month for 9.99 USD, after 7 days of trial, for 0.99 USD, prepaid, or
 * shared.
 */
export type Start = 'plain' | 'trial' | 'intro' | 'prepaid' | 'family';

/** Things that can happen to a subscription. A month is 30 days, a year 365; `grace` lasts for 16 days. */
export type Happening =
  | 'renew'
  | 'renewEarly'
  | 'cancel'
  | 'cancelByDeveloper'
  | 'uncancel'
  | 'resubscribe'
  | 'failWithGrace'
  | 'failWithoutGrace'
  | 'cancelInGrace'
  | 'endGrace'
  | 'recover'
  | 'expire'
  | 'expireUnpaid'
  | 'expireForPrice'
  | 'expireNotForSale'
  | 'schedulePause'
  | 'pause'
  | 'resume'
  /** The period after a pause begins without a charge, and the pause ends in the middle of it. */
  | 'skipPeriod'
  | 'liftPause'
  | 'refund'
  | 'refundHalf'
  | 'refundFirstPeriod'
  | 'reverseRefund'
  | 'askForRefund'
  | 'declineRefund'
  | 'stopSharing'
  | 'shareAgain'
  | 'shareAgainSameId'
  /** Changes to a year for 79.99 USD. */
  | 'upgrade'
  /** Changes to a month of another product for 12.99 USD. */
  | 'crossgrade'
  /** Changes to the year when the paid period ends. */
  | 'planNextProduct'
  | 'keepProduct'
  /** By 14 days. */
  | 'extend'
  | 'askForConsent'
  | 'consent';

/** State of a history on the day of its last step. */
export interface LifeEnd {
  status: string;
  autoRenewal: 'will_renew' | 'will_not_renew' | 'will_change_product' | 'will_pause';
  givesAccess: boolean;
  /** The current period, from day to day. */
  period: [fromDay: number, toDay: number];
  /** End of access in days. */
  endsOnDay: number;
  /** All events with their reasons, INITIAL_PURCHASE first. */
  events: string[];
  /** USD that the ledger holds for the life, of all its subscriptions; null: the store tells no prices. */
  gross: number | null;
}

/** How a life ends otherwise in one store, because the store leads it otherwise. */
export interface Difference extends Partial<LifeEnd> {
  why: string;
  /** What is otherwise when all news come in the end, repeated and in disorder. */
  late?: Partial<LifeEnd>;
  /** Differences for an observer who only sees the store's final state. */
  hideFromPlanner?: Partial<LifeEnd>;
}

export interface StoreLife extends LifeEnd {
  name: string;
  start?: Start;
  steps: [day: number, happening: Happening][];
  /** Access comes back within its period: a RENEWAL for who heard of the end. */
  comesBack?: boolean;
  /** Stores without such lives, and why. */
  not?: Partial<Record<LifeStore, string>>;
  differs?: Partial<Record<LifeStore, Difference>>;
}

/** A store that lives lives. */
export interface LifeDriver<Life, Sent> {
  store: LifeStore;
  starts: Partial<Record<Start, () => Life>>;
  /** Each gives the news of it that the store sends. */
  happenings: Partial<Record<Happening, (life: Life) => Sent>>;
  /** An app posts what it has of the life now. */
  post(life: Life, appUserId: string): Promise<{ status: number; text: string }>;
  /** The news arrives; where the store leaves it to the app to tell of a new purchase, the app does. */
  deliver(sent: Sent, appUserId: string): Promise<void>;
  /** Makes the store show its history to who looks for the first time. */
  showHistory?(): Promise<void>;
}
