import type { Seeded } from './seeded.js';
import type {
  VendorCustomer,
  VendorPurchase,
  VendorSubscription,
  VendorTransaction,
} from './vendor.model.js';

export const DAY = 86_400_000;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;

interface StoreFacts {
  store: string;
  monthly: [id: string, storeId: string];
  yearly: [id: string, storeId: string];
}

export const ios: StoreFacts = {
  store: 'app_store',
  monthly: ['prodiosm', 'com.example.monthly'],
  yearly: ['prodiosy', 'com.example.yearly'],
};
export const play: StoreFacts = {
  store: 'play_store',
  monthly: ['prodplaym', 'premium:monthly'],
  yearly: ['prodplayy', 'premium:yearly'],
};

interface Life {
  /** When the current period ends, from now. */
  endsIn: number;
  periods?: number;
  period?: 'monthly' | 'yearly';
  status: string;
  renews?: string;
  access: boolean;
  /** End of access where it is not the period's. */
  accessEndsIn?: number;
  v1?: VendorSubscription['v1'];
  environment?: 'sandbox';
  ownership?: 'family_shared';
  /** Whether transactions have prices. */
  priced?: boolean;
}

/** Builds subscriptions and purchases of one customer, with ids that no other has. */
export class LifeBuilder {
  constructor(
    private readonly random: Seeded,
    private readonly nowMs: number,
    private readonly customerId: string,
  ) {}

  subscription({ store, monthly, yearly }: StoreFacts, life: Life): VendorSubscription {
    const isYearly = life.period === 'yearly';
    const [product, storeProduct] = isYearly ? yearly : monthly;
    const length = isYearly ? YEAR : MONTH;
    const periods = life.periods ?? 1 + this.random.below(4);
    const endsAt = this.nowMs + life.endsIn;
    const startsAt = endsAt - periods * length;
    const original = store === 'app_store' ? `2${this.random.digits(14)}` : this.orderId();
    const transactions: VendorTransaction[] = Array.from({ length: periods }, (_, index) => ({
      id: this.transactionId(store, original, index),
      purchased_at: startsAt + index * length,
      expiration_date: startsAt + (index + 1) * length,
      product_store_identifier: storeProduct,
      ...(life.priced ? { revenue: { amount: isYearly ? 49.99 : 9.99, currency: 'EUR' } } : {}),
    }));
    const identifier =
      store === 'stripe'
        ? `sub_${this.random.hex(20)}`
        : store === 'amazon'
          ? `amzn.receipt.${this.random.hex(24)}`
          : store === 'rc_billing'
            ? `rcbsub_${this.random.hex(16)}`
            : (transactions.at(-1) as VendorTransaction).id;
    return {
      id: `sub${this.random.hex(16)}`,
      original_customer_id: this.customerId,
      product_id: product,
      starts_at: startsAt,
      current_period_starts_at: endsAt - length,
      current_period_ends_at: endsAt,
      ends_at:
        life.accessEndsIn === undefined ? (life.access ? endsAt : null) : this.nowMs + life.accessEndsIn,
      gives_access: life.access,
      auto_renewal_status: life.renews ?? 'will_renew',
      status: life.status,
      environment: life.environment ?? 'production',
      store,
      store_subscription_identifier: identifier,
      ownership: life.ownership ?? 'purchased',
      country: this.random.pick(['US', 'DE', 'JP', null]),
      presented_offering_id: this.random.next() < 0.5 ? 'ofrngdefault' : null,
      transactions,
      v1: life.v1 ?? {},
      secret:
        store === 'app_store'
          ? { originalTransactionId: original }
          : store === 'play_store'
            ? { purchaseToken: `${this.random.hex(24)}.AO-J1O${this.random.hex(60)}` }
            : {},
    };
  }

  grant(lookupKeys: string[], endsAt: number): VendorSubscription {
    const startsAt = this.nowMs - 10 * DAY;
    return {
      id: `sub${this.random.hex(16)}`,
      original_customer_id: this.customerId,
      product_id: null,
      starts_at: startsAt,
      current_period_starts_at: startsAt,
      current_period_ends_at: endsAt,
      ends_at: endsAt,
      gives_access: endsAt > this.nowMs,
      auto_renewal_status: 'will_not_renew',
      status: endsAt > this.nowMs ? 'active' : 'expired',
      grants: lookupKeys,
      environment: 'production',
      store: 'promotional',
      store_subscription_identifier: this.random.hex(32),
      ownership: 'purchased',
      country: null,
      presented_offering_id: null,
      transactions: [],
      v1: {},
      secret: {},
    };
  }

  purchase(product: string, more: Partial<VendorPurchase> = {}): VendorPurchase {
    const store = product.startsWith('prodplay') ? 'play_store' : 'app_store';
    return {
      id: `purch${this.random.hex(14)}`,
      original_customer_id: this.customerId,
      product_id: product,
      purchased_at: this.nowMs - this.random.below(300) * DAY - 1000,
      quantity: 1,
      status: 'owned',
      environment: 'production',
      store,
      store_purchase_identifier: store === 'play_store' ? this.orderId() : `2${this.random.digits(14)}`,
      ownership: 'purchased',
      country: 'US',
      ...more,
    };
  }

  private orderId(): string {
    const part = (count: number) => this.random.digits(count);
    return `GPA.${part(4)}-${part(4)}-${part(4)}-${part(5)}`;
  }

  /** Google Play numbers renewals of one order; App Store transactions have ids of their own. */
  private transactionId(store: string, original: string, index: number): string {
    if (index === 0) return original;
    return store === 'play_store' ? `${original}..${index - 1}` : `2${this.random.digits(14)}`;
  }
}

export type LifeName = keyof typeof lives;

/** Every state that a customer of the vendor can be in. */
export const lives = {
  nothing: () => undefined,
  iosActive: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, { endsIn: 12 * DAY, status: 'active', access: true, priced: true }),
    ),
  iosYearly: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, { endsIn: 200 * DAY, period: 'yearly', status: 'active', access: true }),
    ),
  iosTrial: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: 3 * DAY,
        periods: 1,
        status: 'trialing',
        access: true,
        v1: { period_type: 'trial' },
      }),
    ),
  iosCancelled: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: 9 * DAY,
        status: 'active',
        renews: 'will_not_renew',
        access: true,
        v1: { unsubscribe_detected_at: 1 },
      }),
    ),
  iosProductChange: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: 9 * DAY,
        status: 'active',
        renews: 'will_change_product',
        access: true,
      }),
    ),
  iosPriceConsent: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: 9 * DAY,
        status: 'active',
        renews: 'requires_price_increase_consent',
        access: true,
      }),
    ),
  iosEarlyRenewal: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: 5 * DAY,
        status: 'active',
        renews: 'has_already_renewed',
        access: true,
        accessEndsIn: 35 * DAY,
      }),
    ),
  iosGrace: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: -2 * DAY,
        status: 'in_grace_period',
        access: true,
        accessEndsIn: 14 * DAY,
        v1: { billing_issues_detected_at: 1 },
      }),
    ),
  iosRetry: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: -5 * DAY,
        status: 'in_billing_retry',
        access: false,
        v1: { billing_issues_detected_at: 1 },
      }),
    ),
  iosExpired: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: -40 * DAY,
        status: 'expired',
        renews: 'will_not_renew',
        access: false,
      }),
    ),
  iosRefunded: (to, make, nowMs) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: 4 * DAY,
        status: 'expired',
        renews: 'will_not_renew',
        access: false,
        accessEndsIn: -6 * DAY,
        v1: { refunded_at: nowMs - 6 * DAY },
      }),
    ),
  iosFamily: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, {
        endsIn: 20 * DAY,
        status: 'active',
        access: true,
        ownership: 'family_shared',
      }),
    ),
  iosSandbox: (to, make) =>
    void to.subscriptions.push(
      make.subscription(ios, { endsIn: DAY, status: 'active', access: true, environment: 'sandbox' }),
    ),
  iosLapsed: (to, make) => {
    const now = make.subscription(ios, { endsIn: 10 * DAY, periods: 2, status: 'active', access: true });
    to.subscriptions.push(earlierPart(make, now, 'monthly'), now);
  },
  iosChanged: (to, make) => {
    const now = make.subscription(ios, {
      endsIn: 100 * DAY,
      periods: 1,
      period: 'yearly',
      status: 'active',
      access: true,
    });
    to.subscriptions.push(earlierPart(make, now, 'monthly'), now);
  },
  playActive: (to, make) =>
    void to.subscriptions.push(
      make.subscription(play, { endsIn: 14 * DAY, status: 'active', access: true, priced: true }),
    ),
  playYearly: (to, make) =>
    void to.subscriptions.push(
      make.subscription(play, { endsIn: 120 * DAY, period: 'yearly', status: 'active', access: true }),
    ),
  playCancelled: (to, make) =>
    void to.subscriptions.push(
      make.subscription(play, { endsIn: 6 * DAY, status: 'active', renews: 'will_not_renew', access: true }),
    ),
  playPaused: (to, make) =>
    void to.subscriptions.push(
      make.subscription(play, { endsIn: -DAY, status: 'paused', renews: 'will_pause', access: false }),
    ),
  playGrace: (to, make) =>
    void to.subscriptions.push(
      make.subscription(play, {
        endsIn: -DAY,
        status: 'in_grace_period',
        access: true,
        accessEndsIn: 5 * DAY,
      }),
    ),
  playExpired: (to, make) =>
    void to.subscriptions.push(
      make.subscription(play, {
        endsIn: -60 * DAY,
        status: 'expired',
        renews: 'will_not_renew',
        access: false,
      }),
    ),
  stripeActive: (to, make) =>
    void to.subscriptions.push(
      make.subscription(
        { ...ios, store: 'stripe', monthly: ['prodstripem', 'prod_StripeMonthly'] },
        { endsIn: 11 * DAY, status: 'active', access: true },
      ),
    ),
  amazonActive: (to, make) =>
    void to.subscriptions.push(
      make.subscription(
        { ...ios, store: 'amazon', monthly: ['prodamzm', 'com.example.fire.monthly'] },
        { endsIn: 13 * DAY, status: 'active', access: true },
      ),
    ),
  checkoutActive: (to, make) =>
    void to.subscriptions.push(
      make.subscription(
        { ...ios, store: 'rc_billing', monthly: ['prodrcbm', 'checkout_monthly'] },
        { endsIn: 15 * DAY, status: 'active', access: true },
      ),
    ),
  grant: (to, make, nowMs) => void to.subscriptions.push(make.grant(['pro'], nowMs + 20 * DAY)),
  grantForLife: (to, make, nowMs) => void to.subscriptions.push(make.grant(['plus'], nowMs + 200 * YEAR)),
  lifetime: (to, make) => void to.purchases.push(make.purchase('prodioslife')),
  lifetimeRefunded: (to, make) =>
    void to.purchases.push(make.purchase('prodioslife', { status: 'refunded' })),
  coins: (to, make) => {
    to.purchases.push(make.purchase('prodioscoins'), make.purchase('prodplaycoins', { quantity: 3 }));
    to.balances.GLD = 100;
  },
  unknownStatus: (to, make) =>
    void to.subscriptions.push(make.subscription(ios, { endsIn: -DAY, status: 'unknown', access: false })),
  incomplete: (to, make) =>
    void to.subscriptions.push(
      make.subscription(play, { endsIn: -DAY, status: 'incomplete', access: false }),
    ),
} satisfies Record<string, (to: VendorCustomer, make: LifeBuilder, nowMs: number) => void>;

/** The vendor opens another object after a lapse or a product change: the same life at the store, split in two. */
function earlierPart(make: LifeBuilder, now: VendorSubscription, period: 'monthly'): VendorSubscription {
  const before = make.subscription(ios, {
    endsIn: 0,
    periods: 2,
    period,
    status: 'expired',
    renews: 'will_not_renew',
    access: false,
  });
  const endsAt = now.starts_at - 40 * DAY;
  const shift = endsAt - (before.current_period_ends_at as number);
  const moved = before.transactions.map((transaction) => ({
    ...transaction,
    purchased_at: transaction.purchased_at + shift,
    expiration_date: (transaction.expiration_date as number) + shift,
  }));
  const [first] = moved;
  // Both objects list the transactions of the whole life, so the earliest id is the same.
  const all = [...moved, ...now.transactions];
  now.transactions = all;
  now.secret = { originalTransactionId: first?.id };
  return {
    ...before,
    starts_at: before.starts_at + shift,
    current_period_starts_at: before.current_period_starts_at + shift,
    current_period_ends_at: endsAt,
    ends_at: null,
    store_subscription_identifier: moved.at(-1)?.id ?? '',
    transactions: moved,
    secret: now.secret,
  };
}
