import type {
  VendorCustomer,
  VendorPurchase,
  VendorSubscription,
  VendorTransaction,
  VendorWorld,
} from './vendor.model.js';

const CREATED = Date.UTC(2024, 0, 1);

/** Copies an object without what only the fake knows. */
function shown<T extends object, K extends keyof T>(object: T, ...hidden: K[]): Omit<T, K> {
  const copy = { ...object };
  for (const key of hidden) delete copy[key];
  return copy;
}

/** Objects in the form of the vendor's REST v2. */
export class VendorAnswers {
  constructor(readonly world: VendorWorld) {}

  project() {
    return {
      object: 'project',
      ...this.world.project,
      created_at: CREATED,
      icon_url: null,
      icon_url_large: null,
    };
  }

  product(id: string) {
    return this.world.products.find((product) => product.id === id);
  }

  entitlement(entitlement: VendorWorld['entitlements'][number]) {
    return {
      object: 'entitlement',
      project_id: this.world.project.id,
      created_at: CREATED,
      ...shown(entitlement, 'product_ids'),
    };
  }

  entitlementProducts({ product_ids: ids }: VendorWorld['entitlements'][number]) {
    return ids.map((id) => this.product(id));
  }

  offering(offering: VendorWorld['offerings'][number]) {
    return {
      object: 'offering',
      project_id: this.world.project.id,
      created_at: CREATED,
      ...shown(offering, 'packages'),
    };
  }

  package(item: VendorWorld['offerings'][number]['packages'][number]) {
    return { object: 'package', created_at: CREATED, ...shown(item, 'product_ids') };
  }

  packageProducts({ product_ids: ids }: VendorWorld['offerings'][number]['packages'][number]) {
    return ids.map((id) => ({ product: this.product(id), eligibility_criteria: 'all' }));
  }

  currency(currency: VendorWorld['currencies'][number]) {
    return {
      object: 'virtual_currency',
      project_id: this.world.project.id,
      created_at: CREATED,
      ...currency,
    };
  }

  webhook(webhook: VendorWorld['webhooks'][number]) {
    return {
      object: 'webhook_integration',
      project_id: this.world.project.id,
      created_at: CREATED,
      ...webhook,
    };
  }

  customer(customer: VendorCustomer) {
    return {
      object: 'customer',
      id: customer.id,
      project_id: this.world.project.id,
      first_seen_at: customer.first_seen_at,
      last_seen_at: customer.last_seen_at,
      last_seen_app_version: '1.2.3',
      last_seen_country: 'US',
      last_seen_platform: 'iOS',
      last_seen_platform_version: '18.1',
    };
  }

  alias(id: string) {
    return { object: 'customer.alias', id, created_at: CREATED };
  }

  attribute(attribute: VendorCustomer['attributes'][number]) {
    return { object: 'customer.attribute', ...attribute };
  }

  subscription(owner: VendorCustomer, subscription: VendorSubscription) {
    return {
      object: 'subscription',
      ...shown(subscription, 'transactions', 'v1', 'secret', 'grants'),
      customer_id: owner.id,
      pending_payment: false,
      pending_changes: { product: null },
      total_revenue_in_usd: { currency: 'USD', gross: 9.99, commission: 1.5, tax: 0, proceeds: 8.49 },
      entitlements: this.list(
        this.entitlementsOf(subscription).map((each) => this.entitlement(each)),
        null,
        '/v2',
      ),
      management_url: null,
    };
  }

  private entitlementsOf({ grants, product_id: product }: VendorSubscription) {
    return this.world.entitlements.filter(({ lookup_key: key, product_ids: ids }) =>
      grants ? grants.includes(key) : product !== null && ids.includes(product),
    );
  }

  transaction({ revenue, ...transaction }: VendorTransaction) {
    return {
      object: 'subscription_transaction',
      ...transaction,
      effective_expiration_date: transaction.expiration_date,
      ...(revenue
        ? {
            revenue_in_local_currency: {
              gross: revenue.amount,
              currency: revenue.currency,
              tax: 0,
              proceeds: revenue.amount,
            },
          }
        : {}),
    };
  }

  purchase(owner: VendorCustomer, purchase: VendorPurchase) {
    const entitlements = this.world.entitlements.filter(({ product_ids: ids }) =>
      ids.includes(purchase.product_id),
    );
    return {
      object: 'purchase',
      ...purchase,
      customer_id: owner.id,
      presented_offering_id: null,
      revenue_in_usd: { currency: 'USD', gross: 4.99, commission: 0.75, tax: 0, proceeds: 4.24 },
      entitlements: this.list(
        entitlements.map((each) => this.entitlement(each)),
        null,
        '/v2',
      ),
    };
  }

  activeEntitlements(customer: VendorCustomer) {
    const ends = new Map<string, number | null>();
    const note = (id: string, end: number | null): void => {
      const before = ends.get(id);
      if (before === null) return;
      ends.set(id, end === null || before === undefined ? end : Math.max(before, end));
    };
    for (const subscription of customer.subscriptions) {
      if (!subscription.gives_access) continue;
      const end = subscription.ends_at ?? subscription.current_period_ends_at;
      for (const { id } of this.entitlementsOf(subscription)) note(id, end);
    }
    for (const { status, product_id: product } of customer.purchases) {
      if (status !== 'owned') continue;
      for (const { id, product_ids: ids } of this.world.entitlements)
        if (ids.includes(product)) note(id, null);
    }
    return [...ends].map(([entitlement_id, expires_at]) => ({
      object: 'customer.active_entitlement',
      entitlement_id,
      expires_at,
    }));
  }

  balance(currency_code: string, balance: number) {
    const name = this.world.currencies.find(({ code }) => code === currency_code)?.name ?? currency_code;
    return { object: 'virtual_currency_balance', currency_code, balance, name };
  }

  /** `GET /v1/subscribers/{id}`: one row for each product, the latest. */
  subscriber(customer: VendorCustomer) {
    const iso = (ms: number | null | undefined) =>
      ms === null || ms === undefined ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
    const rows = customer.subscriptions.map((subscription) => {
      const [product = '', plan] = (
        this.product(subscription.product_id ?? '')?.store_identifier ?? 'rc_promo'
      ).split(':');
      const { v1 } = subscription;
      const row = {
        store: subscription.store,
        is_sandbox: subscription.environment === 'sandbox',
        store_transaction_id: subscription.store_subscription_identifier,
        ...(plan === undefined ? {} : { product_plan_identifier: plan }),
        ownership_type: subscription.ownership.toUpperCase(),
        purchase_date: iso(subscription.current_period_starts_at),
        expires_date: iso(subscription.current_period_ends_at),
        period_type: v1.period_type ?? 'normal',
        price: v1.price ?? null,
        refunded_at: iso(v1.refunded_at),
        unsubscribe_detected_at: iso(v1.unsubscribe_detected_at),
        billing_issues_detected_at: iso(v1.billing_issues_detected_at),
        grace_period_expires_date: iso(v1.grace_period_expires_at),
        auto_resume_date: null,
      };
      return [product, row] as const;
    });
    return {
      request_date_ms: this.world.nowMs,
      subscriber: {
        original_app_user_id: customer.id,
        first_seen: iso(customer.first_seen_at),
        original_application_version: '1.0',
        original_purchase_date: iso(customer.first_seen_at),
        entitlements: {},
        non_subscriptions: {},
        other_purchases: {},
        subscriptions: Object.fromEntries(rows),
      },
    };
  }

  list(items: unknown[], nextPage: string | null, url: string) {
    return { object: 'list', items, next_page: nextPage, url };
  }
}
