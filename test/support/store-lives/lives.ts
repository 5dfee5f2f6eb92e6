import type { LifeEnd, StoreLife } from './life.js';

const first = { period: [0, 30], endsOnDay: 30, gross: 9.99 } as const satisfies Partial<LifeEnd>;
const active = { status: 'active', autoRenewal: 'will_renew', givesAccess: true } as const;
const over = { status: 'expired', autoRenewal: 'will_not_renew', givesAccess: false } as const;
const inRetry = { status: 'in_billing_retry', autoRenewal: 'will_renew', givesAccess: false } as const;

const bought = 'INITIAL_PURCHASE';
const cancelled = [bought, 'CANCELLATION/UNSUBSCRIBE'];
const ended = [...cancelled, 'EXPIRATION/UNSUBSCRIBE'];
const failed = [bought, 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'];
const lost = [...failed, 'EXPIRATION/BILLING_ERROR'];
const refunded = [bought, 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'];

const graceForgotten = {
  why: 'when it is over, nothing that the store shows tells of the grace that was',
  late: { endsOnDay: 30 },
  hideFromPlanner: { endsOnDay: 30 },
} as const;
const graceForgottenByAll = {
  app_store: { why: graceForgotten.why, hideFromPlanner: graceForgotten.hideFromPlanner },
  play_store: graceForgotten,
  stripe: graceForgotten,
  amazon: graceForgotten,
} as const;
const paddleGrace = 'Paddle retries for up to thirty days';
const newPurchase = 'a subscription that was over is bought anew, as another purchase';
const onlyApple = {
  paddle: 'Paddle has none',
  play_store: 'Google has none',
  stripe: 'Stripe has none',
  amazon: 'Amazon has none',
  roku: 'Roku has none',
} as const;
/** Its own tests live through it. */
const shortGrace = { roku: "Roku's grace lasts for three days" } as const;
/** Roku cancels what it refunds as unauthorized. */
const rokuRefund = {
  why: 'only the notification of Roku tells of the money',
  autoRenewal: 'will_not_renew',
} as const;
const oneRefund = { roku: 'what Roku pays back and lets customers keep is only money' } as const;
const noAmazonRetry = {
  amazon: 'without grace Amazon gives up at once',
  paddle: 'Paddle keeps access for as long as it retries',
} as const;
const noAmazonRefund = { amazon: 'Amazon does not say that the money of a subscription went back' } as const;
/** A refund does not turn renewal off. */
const refundedRenewal = {
  app_store: {
    why: 'Apple does not show what it would renew to who only sees the receipt',
    hideFromPlanner: { autoRenewal: 'will_not_renew' },
  },
  play_store: { why: 'Google revokes what it refunds', autoRenewal: 'will_not_renew' },
} as const;

/** One table for all stores: the same purchase ends in the same state in every store. */
export const storeLives: StoreLife[] = [
  {
    name: 'bought and renewed twice',
    steps: [
      [30, 'renew'],
      [60, 'renew'],
    ],
    ...active,
    period: [60, 90],
    endsOnDay: 90,
    events: [bought, 'RENEWAL', 'RENEWAL'],
    gross: 29.97,
  },
  {
    name: 'charged a day early',
    steps: [[29, 'renewEarly']],
    ...active,
    period: [0, 30],
    endsOnDay: 60,
    events: [bought, 'RENEWAL'],
    gross: 19.98,
    not: {
      roku: 'Roku charges on the day',
      stripe: 'Stripe bills when a period begins',
      amazon: 'Amazon tells nothing before the day',
      paddle: 'Paddle bills when a period begins',
    },
    differs: {
      play_store: { why: "Google's period begins with its charge", period: [29, 59], endsOnDay: 59 },
    },
  },
  {
    name: 'trial, converted',
    start: 'trial',
    steps: [[7, 'renew']],
    ...active,
    period: [7, 37],
    endsOnDay: 37,
    events: [bought, 'RENEWAL'],
    gross: 9.99,
  },
  {
    name: 'trial, cancelled, over',
    start: 'trial',
    steps: [
      [3, 'cancel'],
      [7.0001, 'expire'],
    ],
    ...over,
    period: [0, 7],
    endsOnDay: 7,
    events: ended,
    gross: 0,
  },
  {
    name: 'introductory price, then the full one',
    start: 'intro',
    steps: [[30, 'renew']],
    ...active,
    period: [30, 60],
    endsOnDay: 60,
    events: [bought, 'RENEWAL'],
    gross: 10.98,
    not: {
      stripe: 'a discount of Stripe is a lower price',
      amazon: 'receipts of Amazon tell of none',
      paddle: 'a discount of Paddle is a lower price',
    },
  },
  {
    name: 'prepaid, over',
    start: 'prepaid',
    steps: [[30.0001, 'expire']],
    ...over,
    ...first,
    events: ended,
    not: {
      roku: 'Roku sells none',
      app_store: 'Apple sells none',
      stripe: 'Stripe sells none',
      amazon: 'Amazon sells none',
      paddle: 'Paddle sells none',
    },
  },
  {
    name: 'cancelled',
    steps: [[10, 'cancel']],
    ...active,
    ...first,
    autoRenewal: 'will_not_renew',
    events: cancelled,
  },
  {
    name: 'cancelled and taken back',
    steps: [
      [10, 'cancel'],
      [12, 'uncancel'],
    ],
    ...active,
    ...first,
    events: [...cancelled, 'UNCANCELLATION'],
  },
  {
    name: 'cancelled, over, bought again later',
    steps: [
      [10, 'cancel'],
      [30.0001, 'expire'],
      [50, 'resubscribe'],
    ],
    ...active,
    period: [50, 80],
    endsOnDay: 80,
    events: [...ended, 'RENEWAL'],
    gross: 19.98,
    differs: {
      paddle: { why: newPurchase, events: [...ended, bought] },
      roku: { why: newPurchase, events: [...ended, bought] },
      play_store: { why: newPurchase, events: [...ended, bought] },
      stripe: { why: newPurchase, events: [...ended, bought] },
      amazon: { why: newPurchase, events: [...ended, bought] },
    },
  },
  {
    name: 'cancelled by the developer, over',
    steps: [
      [10, 'cancelByDeveloper'],
      [30.0001, 'expire'],
    ],
    ...over,
    ...first,
    events: [bought, 'CANCELLATION/DEVELOPER_INITIATED', 'EXPIRATION/DEVELOPER_INITIATED'],
    not: {
      roku: 'Roku does not say who cancelled',
      app_store: 'only customers cancel',
      stripe: 'Stripe does not say who cancelled',
      amazon: 'only customers cancel',
      paddle: 'Paddle does not say who cancelled',
    },
  },
  {
    name: 'in grace',
    steps: [[30.1, 'failWithGrace']],
    ...active,
    ...first,
    status: 'in_grace_period',
    endsOnDay: 46,
    events: failed,
    differs: {
      paddle: { why: paddleGrace, endsOnDay: 60 },
      roku: { why: shortGrace.roku, endsOnDay: 33 },
    },
  },
  {
    name: 'recovered in grace',
    steps: [
      [30.1, 'failWithGrace'],
      [35, 'recover'],
    ],
    ...active,
    period: [30, 60],
    endsOnDay: 60,
    events: [...failed, 'RENEWAL'],
    gross: 19.98,
    not: { ...shortGrace },
  },
  {
    name: 'grace over, in retry',
    steps: [
      [30.1, 'failWithGrace'],
      [46.1, 'endGrace'],
    ],
    ...inRetry,
    ...first,
    endsOnDay: 46,
    events: lost,
    not: { ...noAmazonRetry, ...shortGrace },
    differs: { stripe: graceForgotten },
  },
  {
    name: 'not paid, without grace',
    steps: [[30.1, 'failWithoutGrace']],
    ...inRetry,
    ...first,
    events: lost,
    not: noAmazonRetry,
  },
  {
    name: 'recovered after access was lost',
    steps: [
      [30.1, 'failWithoutGrace'],
      [40, 'recover'],
    ],
    ...active,
    period: [40, 70],
    endsOnDay: 70,
    events: [...lost, 'RENEWAL'],
    gross: 19.98,
    not: noAmazonRetry,
    differs: { stripe: { why: 'Stripe keeps its billing dates', period: [30, 60], endsOnDay: 60 } },
  },
  {
    name: 'given up in the end',
    steps: [
      [30.1, 'failWithoutGrace'],
      [89, 'expireUnpaid'],
    ],
    ...over,
    ...first,
    events: lost,
    not: noAmazonRetry,
  },
  {
    name: 'grace, then given up at once',
    steps: [
      [30.1, 'failWithGrace'],
      [46.1, 'expireUnpaid'],
    ],
    ...over,
    ...first,
    endsOnDay: 46,
    events: lost,
    differs: { ...graceForgottenByAll, paddle: { why: paddleGrace, endsOnDay: 46.1 } },
    not: { ...shortGrace },
  },
  {
    name: 'grace, retry, given up in the end',
    steps: [
      [30.1, 'failWithGrace'],
      [46.1, 'endGrace'],
      [89, 'expireUnpaid'],
    ],
    ...over,
    ...first,
    endsOnDay: 46,
    events: lost,
    not: { ...noAmazonRetry, ...shortGrace },
    differs: graceForgottenByAll,
  },
  {
    name: 'given up by the customer in grace',
    steps: [
      [30.1, 'failWithGrace'],
      [32, 'cancelInGrace'],
    ],
    ...over,
    ...first,
    endsOnDay: 32,
    events: [...failed, 'EXPIRATION/UNSUBSCRIBE'],
    not: {
      ...shortGrace,
      amazon: 'what Amazon shows then is not documented',
      paddle: 'Paddle does not say who ended it',
    },
    differs: {
      ...graceForgottenByAll,
      app_store: {
        why: 'Apple keeps the grace',
        status: 'in_grace_period',
        givesAccess: true,
        endsOnDay: 46,
        events: failed,
      },
    },
  },
  {
    name: 'a pause ahead',
    steps: [[10, 'schedulePause']],
    ...active,
    ...first,
    autoRenewal: 'will_pause',
    events: [bought, 'SUBSCRIPTION_PAUSED'],
    not: {
      roku: 'Roku has no pauses',
      app_store: 'Apple has no pauses',
      amazon: 'Amazon has no pauses',
    },
    differs: {
      play_store: {
        why: 'only the notification tells of a pause before it begins',
        hideFromPlanner: { autoRenewal: 'will_renew' },
      },
    },
  },
  {
    name: 'paused',
    steps: [
      [10, 'schedulePause'],
      [30.1, 'pause'],
    ],
    status: 'paused',
    autoRenewal: 'will_renew',
    givesAccess: false,
    ...first,
    events: [bought, 'SUBSCRIPTION_PAUSED', 'EXPIRATION/SUBSCRIPTION_PAUSED'],
    not: {
      roku: 'Roku has no pauses',
      app_store: 'Apple has no pauses',
      amazon: 'Amazon has no pauses',
    },
  },
  {
    name: 'paused and resumed',
    steps: [
      [10, 'schedulePause'],
      [30.1, 'pause'],
      [50, 'resume'],
    ],
    ...active,
    period: [50, 80],
    endsOnDay: 80,
    events: [bought, 'SUBSCRIPTION_PAUSED', 'EXPIRATION/SUBSCRIPTION_PAUSED', 'RENEWAL'],
    gross: 19.98,
    not: {
      roku: 'Roku has no pauses',
      app_store: 'Apple has no pauses',
      amazon: 'Amazon has no pauses',
    },
    differs: { stripe: { why: 'Stripe keeps its billing dates', period: [30, 60], endsOnDay: 60 } },
  },
  {
    name: 'a pause lifted in the middle of an unpaid period',
    steps: [
      [10, 'schedulePause'],
      [30.1, 'skipPeriod'],
      [40, 'liftPause'],
    ],
    status: 'in_grace_period',
    autoRenewal: 'will_renew',
    givesAccess: true,
    ...first,
    endsOnDay: 60,
    events: [bought, 'SUBSCRIPTION_PAUSED', 'EXPIRATION/SUBSCRIPTION_PAUSED', 'RENEWAL'],
    comesBack: true,
    not: {
      roku: 'Roku has no pauses',
      app_store: 'Apple has no pauses',
      paddle: 'what a pause of Paddle leaves unpaid is never a period',
      play_store: 'Google charges when a pause ends',
      amazon: 'Amazon has no pauses',
    },
  },
  {
    name: 'refunded',
    steps: [[5, 'refund']],
    ...over,
    autoRenewal: 'will_renew',
    period: [0, 30],
    endsOnDay: 5,
    events: refunded,
    gross: 0,
    not: noAmazonRefund,
    differs: { ...refundedRenewal, roku: { ...rokuRefund, hideFromPlanner: { gross: 9.99 } } },
  },
  {
    name: 'renewed, then refunded: only the latest period',
    steps: [
      [30, 'renew'],
      [35, 'refund'],
    ],
    ...over,
    autoRenewal: 'will_renew',
    period: [30, 60],
    endsOnDay: 35,
    events: [bought, 'RENEWAL', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
    gross: 9.99,
    not: noAmazonRefund,
    differs: { ...refundedRenewal, roku: { ...rokuRefund, hideFromPlanner: { gross: 19.98 } } },
  },
  {
    name: 'refunded in part, access ended',
    steps: [[5, 'refundHalf']],
    ...over,
    autoRenewal: 'will_renew',
    period: [0, 30],
    endsOnDay: 5,
    events: refunded,
    gross: 5,
    not: {
      paddle: 'a part that is given back is only money',
      ...oneRefund,
      play_store: 'a part that Google gives back is only money',
      stripe: 'a part that is given back is only money',
      ...noAmazonRefund,
    },
    differs: refundedRenewal,
  },
  {
    name: 'refund reversed',
    steps: [
      [5, 'refund'],
      [8, 'reverseRefund'],
    ],
    ...active,
    ...first,
    events: [...refunded, 'REFUND_REVERSED'],
    not: {
      roku: 'Roku reverses no refund',
      play_store: 'Google reverses no refund',
      ...noAmazonRefund,
    },
  },
  {
    name: 'an older period refunded: only money',
    steps: [
      [30, 'renew'],
      [35, 'refundFirstPeriod'],
    ],
    ...active,
    period: [30, 60],
    endsOnDay: 60,
    events: [bought, 'RENEWAL'],
    gross: 9.99,
    not: noAmazonRefund,
    differs: { roku: { why: rokuRefund.why, hideFromPlanner: { gross: 19.98 } } },
  },
  {
    name: 'refund asked for and declined',
    steps: [
      [5, 'askForRefund'],
      [6, 'declineRefund'],
    ],
    ...active,
    ...first,
    events: [bought, 'REFUND_REQUESTED', 'REFUND_REQUEST_DECIDED'],
    not: onlyApple,
  },
  {
    name: 'shared in the family, and no more',
    start: 'family',
    steps: [[5, 'stopSharing']],
    ...over,
    period: [0, 30],
    endsOnDay: 5,
    events: [bought, 'EXPIRATION/UNKNOWN'],
    gross: 0,
    not: onlyApple,
  },
  {
    name: 'shared in the family again',
    start: 'family',
    steps: [
      [5, 'stopSharing'],
      [8, 'shareAgain'],
    ],
    ...active,
    ...first,
    events: [bought, 'EXPIRATION/UNKNOWN', 'RENEWAL'],
    gross: 0,
    comesBack: true,
    not: onlyApple,
  },
  {
    name: 'shared in the family again, under the same id',
    start: 'family',
    steps: [
      [5, 'stopSharing'],
      [8, 'shareAgainSameId'],
    ],
    ...active,
    ...first,
    events: [bought, 'EXPIRATION/UNKNOWN', 'RENEWAL'],
    gross: 0,
    comesBack: true,
    not: onlyApple,
  },
  {
    name: 'upgraded at once',
    steps: [[10, 'upgrade']],
    ...active,
    period: [10, 375],
    endsOnDay: 375,
    events: [bought, 'PRODUCT_CHANGE', 'RENEWAL'],
    gross: 89.98,
    differs: {
      roku: {
        why: 'another product is another subscription, which names the one that it replaced',
        events: [bought, bought, 'PRODUCT_CHANGE'],
      },
      play_store: {
        why: 'another plan is another purchase, which names the one that it replaced',
        events: [bought, 'PRODUCT_CHANGE', bought],
      },
      amazon: {
        why: 'another term is another receipt; what it replaced is reported after it was posted',
        events: [bought, bought, 'PRODUCT_CHANGE'],
        gross: null,
      },
    },
  },
  {
    name: 'another product of the same length at once',
    steps: [[10, 'crossgrade']],
    ...active,
    period: [10, 40],
    endsOnDay: 40,
    events: [bought, 'PRODUCT_CHANGE', 'RENEWAL'],
    gross: 22.98,
    not: {
      roku: 'Roku only knows dearer and cheaper',
      amazon: 'Amazon only changes between terms of a product',
    },
    differs: {
      play_store: {
        why: 'another plan is another purchase, which names the one that it replaced',
        events: [bought, 'PRODUCT_CHANGE', bought],
      },
      paddle: {
        why: 'Paddle keeps its billing dates, and bills the difference as the seller chooses',
        ...first,
        events: [bought, 'PRODUCT_CHANGE'],
      },
      stripe: {
        why: 'Stripe keeps its billing dates, and bills the difference with the next invoice',
        ...first,
        events: [bought, 'PRODUCT_CHANGE'],
      },
    },
  },
  {
    name: 'another product from the next period on',
    steps: [[10, 'planNextProduct']],
    ...active,
    ...first,
    autoRenewal: 'will_change_product',
    events: [bought, 'PRODUCT_CHANGE'],
    not: { paddle: 'Paddle changes products at once' },
  },
  {
    name: 'another product, renewed into it',
    steps: [
      [10, 'planNextProduct'],
      [30, 'renew'],
    ],
    ...active,
    period: [30, 395],
    endsOnDay: 395,
    events: [bought, 'PRODUCT_CHANGE', 'RENEWAL'],
    gross: 89.98,
    not: {
      paddle: 'Paddle changes products at once',
      roku: 'the cheaper product is another subscription: its own tests live through it',
      amazon: 'receipts of Amazon do not tell when the change was made',
    },
  },
  {
    name: 'another product, taken back',
    steps: [
      [10, 'planNextProduct'],
      [12, 'keepProduct'],
    ],
    ...active,
    ...first,
    events: [bought, 'PRODUCT_CHANGE'],
    not: {
      paddle: 'Paddle changes products at once',
      play_store: 'to take a replacement back is to replace again',
    },
    differs: {
      roku: {
        why: 'Roku turns renewal off as well',
        autoRenewal: 'will_not_renew',
        events: [bought, 'PRODUCT_CHANGE', 'CANCELLATION/UNSUBSCRIBE'],
      },
    },
  },
  {
    name: 'extended',
    steps: [[10, 'extend']],
    ...active,
    period: [0, 44],
    endsOnDay: 44,
    events: [bought, 'SUBSCRIPTION_EXTENDED'],
    gross: 9.99,
    not: { stripe: 'only trials are made longer', amazon: 'Amazon extends nothing' },
  },
  {
    name: 'asked to pay more, and agreed',
    steps: [
      [10, 'askForConsent'],
      [12, 'consent'],
    ],
    ...active,
    ...first,
    events: [bought, 'PRICE_INCREASE_CONSENT_REQUIRED', 'PRICE_INCREASE_CONSENT_APPROVED'],
    not: {
      roku: 'Roku does not tell',
      stripe: 'Stripe does not ask',
      amazon: 'Amazon does not tell',
      paddle: 'Paddle does not ask',
    },
  },
  {
    name: 'asked to pay more, and did not answer',
    steps: [
      [10, 'askForConsent'],
      [30.1, 'expireForPrice'],
    ],
    ...over,
    ...first,
    events: [
      bought,
      'PRICE_INCREASE_CONSENT_REQUIRED',
      'CANCELLATION/PRICE_INCREASE',
      'EXPIRATION/PRICE_INCREASE',
    ],
    not: {
      roku: 'Roku does not tell',
      stripe: 'Stripe does not ask',
      amazon: 'Amazon does not tell',
      paddle: 'Paddle does not ask',
    },
  },
  {
    name: 'the product is not for sale any more',
    steps: [[30.1, 'expireNotForSale']],
    ...over,
    ...first,
    events: [bought, 'CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN'],
    not: onlyApple,
  },
];
