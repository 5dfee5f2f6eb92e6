import type { Store } from '../../engine/index.js';
import type {
  ImportPurchase,
  ImportSubscription,
  ImportSubscriptionStatus,
  ImportTransaction,
} from '../customer-item.js';
import type { ExportRow } from './export-row.js';

/** Rows with the same original transaction id. Subscription rows form one subscription; purchases stay separate. */
export interface ExportSubscription {
  /**
   * Taken from the newest row: an older one may name a customer who was merged into this one or transferred the
   * purchase.
   */
  customerId: string;
  /** Valid rows, oldest first, each transaction once. */
  rows: ExportRow[];
}

/** The newest version of each transaction with the same original transaction id. */
export type NewestVersions = Map<string, ExportRow>;

export function addVersion(newest: NewestVersions, row: ExportRow): void {
  const key = JSON.stringify([row.transactionId, row.renewalNumber]);
  const known = newest.get(key);
  if (!known || (row.updatedAtMs ?? 0) >= (known.updatedAtMs ?? 0)) newest.set(key, row);
}

/** Null if every order is void. */
export function exportSubscription(newest: NewestVersions): ExportSubscription | null {
  const rows = [...newest.values()].filter((row) => !isVoid(row));
  rows.sort((a, b) => a.startMs - b.startMs || a.renewalNumber - b.renewalNumber);
  const last = rows.at(-1);
  return last ? { customerId: last.customerId, rows } : null;
}

/** A Google Play order that was never paid ends before it starts. */
function isVoid({ store, startMs, endMs }: ExportRow): boolean {
  return store === 'play_store' && endMs !== null && endMs < startMs;
}

/** A row without an end, for a product that does not renew. */
function isOneTime({ store, isAutoRenewable, endMs }: ExportRow): boolean {
  return store !== 'promotional' && !isAutoRenewable && endMs === null;
}

export interface ImportItems {
  subscriptions: ImportSubscription[];
  purchases: ImportPurchase[];
  /** Sentences that explain what was left out. */
  leftOut: string[];
}

export function importItems(
  exported: ExportSubscription,
  appIdOf: (store: Store) => string | null,
  nowMs: number,
): ImportItems {
  const store = (exported.rows[0] as ExportRow).store;
  if (store === 'promotional') return grants(exported.rows, nowMs);
  const appId = appIdOf(store);
  if (appId === null) return { subscriptions: [], purchases: [], leftOut: [`no app of ${store} is known`] };
  const periods = exported.rows.filter((row) => !isOneTime(row));
  return {
    subscriptions: periods.length > 0 ? [subscription(periods, appId, nowMs)] : [],
    purchases: exported.rows.filter(isOneTime).map((row) => purchase(row, appId)),
    leftOut: [],
  };
}

function subscription(rows: ExportRow[], appId: string, nowMs: number): ImportSubscription {
  const first = rows[0] as ExportRow;
  const last = rows.at(-1) as ExportRow;
  const periodEnd = last.endMs ?? last.effectiveEndMs;
  const accessEnd = last.effectiveEndMs ?? last.endMs;
  const status = statusOf(last, accessEnd, nowMs);
  const willRenew = last.isAutoRenewable && last.unsubscribedAtMs === null && status !== 'expired';
  return {
    app_id: appId,
    ...shared(last),
    starts_at: first.startMs,
    current_period_starts_at: last.startMs,
    // A refund may end a period before its start.
    current_period_ends_at: periodEnd === null ? null : Math.max(periodEnd, last.startMs),
    ends_at: accessEnd === periodEnd ? undefined : accessEnd,
    status,
    auto_renewal_status: willRenew ? 'will_renew' : 'will_not_renew',
    ...identifiers(first, last),
    period_type: last.isAutoRenewable || last.store !== 'play_store' ? last.periodType : 'prepaid',
    unsubscribe_detected_at: last.unsubscribedAtMs ?? undefined,
    billing_issues_detected_at: last.billingIssuesAtMs ?? undefined,
    grace_period_expires_at: last.graceEndMs ?? undefined,
    auto_resume_at: last.autoResumeMs ?? undefined,
    transactions: newestOf(rows).map(transaction),
    original_customer_id: first.customerId === last.customerId ? undefined : first.customerId,
  };
}

function statusOf(last: ExportRow, accessEnd: number | null, nowMs: number): ImportSubscriptionStatus {
  if (last.refundedAtMs !== null) return 'expired';
  if (accessEnd !== null && accessEnd <= nowMs) {
    const isPaused = last.autoResumeMs !== null && last.autoResumeMs > nowMs;
    return isPaused ? 'paused' : 'expired';
  }
  if (last.periodType === 'trial') return 'trialing';
  return last.graceEndMs !== null && last.graceEndMs > nowMs ? 'in_grace_period' : 'active';
}

/**
 * These stores identify a subscription by its own id, `sub_…`, which some rows contain instead of the first payment's.
 */
const storesWithSubscriptionIds: ReadonlySet<string> = new Set(['paddle', 'stripe']);

/** The keys by which the store, and therefore the server, identifies the subscription. */
function identifiers(
  first: ExportRow,
  last: ExportRow,
): Pick<ImportSubscription, 'original_transaction_id' | 'store_subscription_identifier'> {
  const { store, originalId } = last;
  if (store === 'app_store' || store === 'mac_app_store') {
    return { original_transaction_id: originalId, store_subscription_identifier: last.transactionId };
  }
  // This is an order id; the server extracts the base order id.
  if (store === 'play_store') return { store_subscription_identifier: last.transactionId };
  const own = [originalId, last.transactionId, first.transactionId].find((id) => id.startsWith('sub_'));
  return { store_subscription_identifier: (storesWithSubscriptionIds.has(store) && own) || originalId };
}

function shared(row: ExportRow) {
  return {
    store: row.store,
    product_identifier: row.productId,
    environment: row.isSandbox ? ('sandbox' as const) : ('production' as const),
    ownership: row.isFamilyShared ? ('family_shared' as const) : ('purchased' as const),
    country: row.country ?? undefined,
    presented_offering_id: row.presentedOffering ?? undefined,
    price: row.price,
    // Null must be sent, too: a refund may have been reversed.
    refunded_at: row.refundedAtMs,
  };
}

/** Returns the newest entries, up to the limit of an item. */
function newestOf<T>(oldestFirst: T[]): T[] {
  return oldestFirst.slice(-1000);
}

function transaction(row: ExportRow): ImportTransaction {
  return {
    // Stripe uses one id for all payments of a subscription.
    id:
      row.store === 'stripe' && row.renewalNumber > 1
        ? `${row.transactionId}#${row.renewalNumber}`
        : row.transactionId,
    purchased_at: row.startMs,
    expires_at: row.endMs,
    product_identifier: row.productId,
    price: row.price,
    period_type: row.periodType,
    refunded_at: row.refundedAtMs ?? undefined,
  };
}

function purchase(row: ExportRow, appId: string): ImportPurchase {
  return {
    app_id: appId,
    ...shared(row),
    purchased_at: row.startMs,
    store_purchase_identifier: row.transactionId,
    status: row.refundedAtMs === null ? 'owned' : 'refunded',
  };
}

const LIFETIME = /_lifetime$/;

function grants(rows: ExportRow[], nowMs: number): ImportItems {
  const items: ImportItems = { subscriptions: [], purchases: [], leftOut: [] };
  for (const row of rows) {
    const end = row.effectiveEndMs ?? row.endMs;
    // A revoked grant gives no access.
    if (row.refundedAtMs !== null) continue;
    if (end === null && !LIFETIME.test(row.productId)) {
      items.leftOut.push(`grant ${row.productId} has no end and is not for a lifetime`);
    } else if (row.entitlements.length === 0) {
      items.leftOut.push(`grant ${row.productId} names no entitlement`);
    } else {
      items.subscriptions.push({
        store: 'promotional',
        product_identifier: row.productId,
        environment: row.isSandbox ? 'sandbox' : 'production',
        starts_at: row.startMs,
        current_period_starts_at: row.startMs,
        current_period_ends_at: end === null ? null : Math.max(end, row.startMs),
        status: end !== null && end <= nowMs ? 'expired' : 'active',
        auto_renewal_status: 'will_not_renew',
        store_subscription_identifier: row.transactionId,
        entitlement_lookup_keys: row.entitlements,
      });
    }
  }
  return items;
}
