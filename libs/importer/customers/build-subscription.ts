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

/** The reason for omitting an item, for the report. */
export interface LeftOut {
  reason: string;
}

export function isLeftOut(item: object): item is LeftOut {
  return 'reason' in item;
}

/** Ends with a smaller difference count as equal. */
const EARLY_MS = 60_000;
/** A product change ends one transaction and starts another within this time. */
const CHANGE_MS = 3_600_000;

/** The vendor's money: v1 and newer transactions contain an amount, revenue contains its gross. */
export function priceOf(money: SourceMoney | null | undefined): ImportPrice | null {
  const amount = money?.amount ?? money?.gross;
  const currency = money?.currency;
  return typeof amount === 'number' && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
    ? { amount, currency }
    : null;
}

/** Removes unknown values, because an unknown value is not null. */
export function withoutUnknown<T extends object>(item: T): T {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as T;
}

/** The part of a Google Play order id shared by all periods. */
export function baseOrderId(orderId: string): string {
  return orderId.replace(/\.\.\d+$/, '');
}

export function buildSubscription(
  subscription: SourceSubscription,
  details: CustomerDetails,
  context: ItemContext,
): ImportSubscription | LeftOut {
  const { transactions: transactionsOf, tokens, subscriber } = details;
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
    ends_at: laterEnd(subscription),
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
    grace_period_expires_at: latest && graceEnd(latest),
    transactions: transactions?.length
      ? transactions.map((one) => {
          const isRefundKnown = one === latest && typeof supplement.refunded_at === 'number';
          return buildTransaction(one, isRefundKnown ? undefined : earlyEnd(one, subscription, details));
        })
      : undefined,
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

/** The vendor's `ends_at` is not the end of access; it is only later after an early renewal. */
function laterEnd({ current_period_ends_at: periodEnd, ends_at: end }: SourceSubscription) {
  return end && periodEnd !== null && end > periodEnd ? end : undefined;
}

/** The effective end of a transaction includes grace. */
function graceEnd({ expiration_date: end, effective_expiration_date: effective }: SourceTransaction) {
  return end && effective && effective > end ? effective : undefined;
}

/**
 * v2 has no refund field. A refund shows as an effective end before the paid end, unless the customer changed the
 * product then, which starts another transaction at about the same time.
 */
function earlyEnd(
  { purchased_at: own, expiration_date: end, effective_expiration_date: effective }: SourceTransaction,
  { status, store }: SourceSubscription,
  { subscriptions, transactions }: CustomerDetails,
): number | undefined {
  if (status !== 'expired' || !end || !effective || effective >= end - EARLY_MS) return undefined;
  const starts = subscriptions
    .filter((other) => other.store === store)
    .flatMap(({ id, starts_at, current_period_starts_at }) => [
      starts_at,
      current_period_starts_at,
      ...(transactions.get(id) ?? []).map(({ purchased_at }) => purchased_at),
    ]);
  const isChange = starts.some((start) => start !== own && Math.abs(start - effective) <= CHANGE_MS);
  return isChange ? undefined : Math.max(effective, own);
}

function buildTransaction(transaction: SourceTransaction, refundedAt: number | undefined): ImportTransaction {
  return withoutUnknown<ImportTransaction>({
    id: transaction.id,
    purchased_at: transaction.purchased_at,
    expires_at: transaction.expiration_date ?? undefined,
    product_identifier: transaction.product_store_identifier,
    price: priceOfCurrent(transaction) ?? undefined,
    refunded_at: refundedAt,
  });
}

/** v1 returns only the latest row of a product, which belongs to the subscription with the same transaction. */
function supplementOf(
  subscriber: SourceSubscriber | null,
  identifier: string | undefined,
  subscription: SourceSubscription,
): Partial<ImportSubscription> {
  if (subscriber === null || identifier === undefined) return {};
  const row = rowOf(subscriber, identifier);
  if (!row || !isSameTransaction(row, subscription)) return {};
  const period = row.period_type?.toLowerCase();
  return withoutUnknown<Partial<ImportSubscription>>({
    period_type: isPeriodType(period) ? period : undefined,
    price: priceOf(row.price) ?? undefined,
    // Null must be sent, too: a refund may have been reversed.
    refunded_at: row.refunded_at === null ? null : epochMs(row.refunded_at),
    unsubscribe_detected_at: epochMs(row.unsubscribe_detected_at),
    billing_issues_detected_at: epochMs(row.billing_issues_detected_at),
    grace_period_expires_at: epochMs(row.grace_period_expires_date),
    auto_resume_at: epochMs(row.auto_resume_date),
  });
}

/** v1 names Google Play products without their base plan, which is in a separate field. */
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
