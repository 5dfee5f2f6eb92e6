import type { PeriodKind, Store } from '../../engine/index.js';
import type { ImportAttribute, ImportPrice } from '../customer-item.js';
import { attributesOf } from './attributes.js';
import { type CsvRow, valueOf } from './csv-file.js';
import { isTrue, listOf, numberOf, timeOf } from './values.js';

/** One version of a transaction. Template versions 3 to 7 use the same column names; later versions add some. */
export interface ExportRow {
  customerId: string;
  aliasId: string | null;
  store: Store;
  productId: string;
  startMs: number;
  endMs: number | null;
  graceEndMs: number | null;
  effectiveEndMs: number | null;
  isAutoRenewable: boolean;
  periodType: PeriodKind;
  isSandbox: boolean;
  price: ImportPrice | null;
  transactionId: string;
  originalId: string;
  refundedAtMs: number | null;
  unsubscribedAtMs: number | null;
  billingIssuesAtMs: number | null;
  renewalNumber: number;
  presentedOffering: string | null;
  isFamilyShared: boolean;
  entitlements: string[];
  country: string | null;
  attributes: ImportAttribute[];
  firstSeenMs: number | null;
  autoResumeMs: number | null;
  updatedAtMs: number | null;
}

export const requiredColumns = [
  ['rc_original_app_user_id'],
  ['store'],
  ['product_identifier'],
  ['start_time'],
  ['store_transaction_id'],
];

const STORES: readonly string[] = [
  'amazon',
  'app_store',
  'mac_app_store',
  'play_store',
  'promotional',
  'stripe',
  'rc_billing',
  'roku',
  'paddle',
  'test_store',
] satisfies Store[];

/** Returns the row, or the reason why it cannot be imported. */
export function exportRow(row: CsvRow): ExportRow | string {
  const text = (name: string) => valueOf(row, [name]);
  const time = (name: string) => timeOf(text(name));
  const customerId = text('rc_original_app_user_id');
  if (customerId === null) return 'has no rc_original_app_user_id';
  const store = (text('store') ?? '').toLowerCase();
  if (!STORES.includes(store)) return `is of an unknown store (${store.slice(0, 40)})`;
  const startMs = time('start_time');
  if (startMs === null) return 'has no start_time, or one that is no time';
  const productId = text('product_identifier');
  if (productId === null) return 'has no product_identifier';
  // Grants have no store transaction.
  const transactionId =
    text('store_transaction_id') ?? (store === 'promotional' ? `${productId} ${startMs}` : null);
  if (transactionId === null) return 'has no store_transaction_id';
  const updatedAtMs = time('updated_at');
  const isRefunded = text('refunded_at') !== null;
  return {
    customerId,
    aliasId: text('rc_last_seen_app_user_id_alias'),
    store: store as Store,
    productId,
    startMs,
    endMs: time('end_time'),
    graceEndMs: time('grace_period_end_time'),
    effectiveEndMs: time('effective_end_time'),
    isAutoRenewable: isTrue(text('is_auto_renewable')),
    periodType: periodType(text),
    isSandbox: isTrue(text('is_sandbox')),
    price: priceOf(text, isRefunded),
    transactionId,
    originalId: text('original_store_transaction_id') ?? transactionId,
    refundedAtMs: time('refunded_at'),
    unsubscribedAtMs: time('unsubscribe_detected_at'),
    billingIssuesAtMs: time('billing_issues_detected_at'),
    renewalNumber: numberOf(text('renewal_number')) ?? 1,
    presentedOffering: text('presented_offering'),
    isFamilyShared: text('ownership_type')?.toUpperCase() === 'FAMILY_SHARED',
    entitlements: listOf(text('entitlement_identifiers')),
    country: text('country'),
    attributes: ['reserved_subscriber_attributes', 'custom_subscriber_attributes'].flatMap((name) =>
      attributesOf(text(name), updatedAtMs ?? startMs),
    ),
    firstSeenMs: time('first_seen_time'),
    autoResumeMs: time('auto_resume_time'),
    updatedAtMs,
  };
}

function periodType(text: (name: string) => string | null): PeriodKind {
  if (isTrue(text('is_trial_period'))) return 'trial';
  return isTrue(text('is_in_intro_offer_period')) ? 'intro' : 'normal';
}

/**
 * The price paid. After a refund, only `purchase_price…` (since template version 4) still contains it; the other
 * columns are 0.
 */
function priceOf(text: (name: string) => string | null, isRefunded: boolean): ImportPrice | null {
  const currency = text('purchased_currency');
  const columns: [string, string | null][] = [
    ['purchase_price_in_purchased_currency', currency],
    ['price_in_purchased_currency', currency],
    ['purchase_price_in_usd', 'USD'],
    ['price_in_usd', 'USD'],
  ];
  for (const [name, of] of columns) {
    const amount = numberOf(text(name));
    if (amount === null || amount < 0 || of === null) continue;
    if (amount === 0 && isRefunded && !name.startsWith('purchase_')) continue;
    return { amount, currency: of.toUpperCase() };
  }
  return null;
}
