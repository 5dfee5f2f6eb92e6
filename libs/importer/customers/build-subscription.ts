import type {
  ImportAutoRenewalStatus,
  ImportPrice,
  ImportSubscription,
  ImportSubscriptionStatus,
  ImportTransaction,
} from '../customer-item.js';
import type {
  SourceMoney,
  SourceSubscriber,
  SourceSubscriberSubscription,
  SourceSubscription,
  SourceTransaction,
} from '../source/source.model.js';
import type { ItemContext } from './build-customer.js';
import type { CustomerDetails } from './customer-details.js';

/** Why an item is left out, for the report. */
export interface LeftOut {
  reason: string;
}

export function isLeftOut(item: object): item is LeftOut {
  return 'reason' in item;
}

/** Money of the vendor: v1 and newer transactions name an amount, revenue names its gross. */
export function priceOf(money: SourceMoney | null | undefined): ImportPrice | null {
  const amount = money?.amount ?? money?.gross;
  const currency = money?.currency;
  return typeof amount === 'number' && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
    ? { amount, currency }
    : null;
}

/** Absent fields stay absent: an unknown value is not a null. */
export function withoutUnknown<T extends object>(item: T): T {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as T;
}

/** The part of a Google Play order id that all periods share. */
export function baseOrderId(orderId: string): string {
  return orderId.replace(/\.\.\d+$/, '');
}

export function buildSubscription(
  subscription: SourceSubscription,
  { transactions: transactionsOf, tokens, subscriber }: CustomerDetails,
  context: ItemContext,
): ImportSubscription | LeftOut {
  const { store } = subscription;
  const transactions = transactionsOf.get(subscription.id);
  const promotional = store === 'promotional';
  const product =
    subscription.product_id === null ? undefined : context.products.get(subscription.product_id);
  const latest = latestOf(transactions);
  const identifier = product?.store_identifier ?? latest?.product_store_identifier;
  const appId = product ? context.apps[product.app_id] : context.appOfStore(store);
  if (!promotional && appId === undefined) return { reason: 'its app was not created' };
  if (!promotional && identifier === undefined) return { reason: 'the source does not know its product' };
  const supplement = supplementOf(subscriber, identifier, subscription);
  return withoutUnknown<ImportSubscription>({
    app_id: promotional ? undefined : appId,
    store: store as ImportSubscription['store'],
    product_identifier:
      identifier ?? (promotional ? `rc_promo_${lookupKeys(subscription)[0] ?? ''}` : undefined),
    environment: subscription.environment as ImportSubscription['environment'],
    starts_at: subscription.starts_at,
    current_period_starts_at: subscription.current_period_starts_at,
    current_period_ends_at: subscription.current_period_ends_at,
    ends_at: subscription.ends_at ?? undefined,
    status: subscription.status as ImportSubscriptionStatus,
    auto_renewal_status: subscription.auto_renewal_status as ImportAutoRenewalStatus,
    store_subscription_identifier: subscription.store_subscription_identifier,
    purchase_token: tokens.get(subscription.id),
    gives_access: subscription.gives_access,
    ownership: subscription.ownership as ImportSubscription['ownership'],
    country: subscription.country || undefined,
    presented_offering_id: context.offeringKey(subscription.presented_offering_id),
    original_customer_id: subscription.original_customer_id || undefined,
    price: priceOfCurrent(latest) ?? undefined,
    transactions: transactions?.length ? transactions.map(buildTransaction) : undefined,
    entitlement_lookup_keys: promotional ? lookupKeys(subscription) : undefined,
    ...supplement,
  });
}

function lookupKeys(subscription: SourceSubscription): string[] {
  return (subscription.entitlements?.items ?? []).map(({ lookup_key: key }) => key);
}

function latestOf(transactions: SourceTransaction[] | undefined): SourceTransaction | undefined {
  return transactions?.reduce<SourceTransaction | undefined>(
    (latest, other) => (latest && latest.purchased_at >= other.purchased_at ? latest : other),
    undefined,
  );
}

function priceOfCurrent(transaction: SourceTransaction | undefined): ImportPrice | null {
  return priceOf(transaction?.revenue_in_local_currency) ?? priceOf(transaction?.revenue_in_usd);
}

function buildTransaction(transaction: SourceTransaction): ImportTransaction {
  return withoutUnknown<ImportTransaction>({
    id: transaction.id,
    purchased_at: transaction.purchased_at,
    expires_at: transaction.expiration_date ?? undefined,
    product_identifier: transaction.product_store_identifier,
    price: priceOfCurrent(transaction) ?? undefined,
  });
}

/** v1 knows only the latest row of a product: it belongs to the subscription with the same transaction. */
function supplementOf(
  subscriber: SourceSubscriber | null,
  identifier: string | undefined,
  subscription: SourceSubscription,
): Partial<ImportSubscription> {
  if (subscriber === null || identifier === undefined) return {};
  const row = rowOf(subscriber, identifier);
  if (!row || !isSameTransaction(row, subscription)) return {};
  const period = row.period_type?.toLowerCase();
  return {
    period_type: isPeriodType(period) ? period : undefined,
    price: priceOf(row.price) ?? undefined,
    refunded_at: epochMs(row.refunded_at),
    unsubscribe_detected_at: epochMs(row.unsubscribe_detected_at),
    billing_issues_detected_at: epochMs(row.billing_issues_detected_at),
    grace_period_expires_at: epochMs(row.grace_period_expires_date),
    auto_resume_at: epochMs(row.auto_resume_date),
  };
}

/** v1 names Google Play products without their base plan and gives the plan apart. */
function rowOf(subscriber: SourceSubscriber, identifier: string): SourceSubscriberSubscription | undefined {
  const rows = subscriber.subscriptions ?? {};
  const [product = '', plan] = identifier.split(':');
  const row = rows[identifier] ?? rows[product];
  const otherPlan =
    plan !== undefined && row?.product_plan_identifier && row.product_plan_identifier !== plan;
  return otherPlan ? undefined : row;
}

function isSameTransaction(row: SourceSubscriberSubscription, subscription: SourceSubscription): boolean {
  const id = row.store_transaction_id;
  if (id === undefined || id === null) return true;
  return baseOrderId(String(id)) === baseOrderId(subscription.store_subscription_identifier);
}

function isPeriodType(text: string | undefined): text is NonNullable<ImportSubscription['period_type']> {
  return ['normal', 'trial', 'intro', 'prepaid'].includes(text ?? '');
}

function epochMs(iso: string | null | undefined): number | undefined {
  const ms = iso ? Date.parse(iso) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
