import { Injectable } from '@nestjs/common';
import type { Environment, PriceSource } from '../../../libs/engine/index.js';
import { customerIdOf, ownerOf } from '../../customers/customers/identity/customer-names.sql.js';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { rateDay } from '../lookups/purchase-columns.sql.js';
import type { StoredAmount } from '../lookups/display-amount.policy.js';

export interface TransactionRow {
  id: string;
  /** Original app user id; null if the customer was deleted. */
  customerAppUserId: string | null;
  appId: string | null;
  store: string;
  storeTransactionId: string;
  storeProductId: string | null;
  kind: string;
  environment: 'production' | 'sandbox';
  purchasedAt: Date;
  expiresAt: Date | null;
  isOneTime: boolean;
  /** Null: unknown price. */
  amountMicros: number | null;
  currency: string | null;
  usdMicros: number | null;
  commissionBps: number;
  taxBps: number;
  priceSource: PriceSource;
  country: string | null;
}

/** Null fields do not filter. */
export interface TransactionFilter {
  /** Any app user id of a customer. */
  customer: string | null;
  environment: 'production' | 'sandbox' | null;
}

/** Gross USD of a customer's purchases, minus refunds. */
export interface CustomerRevenue {
  customerId: string;
  productionMicros: number;
  sandboxMicros: number;
}

/** Payments and refunds of one purchase in one currency, at the rate of one day. */
export interface PaymentSum extends StoredAmount {
  customerId: string;
  /** Id of the subscription or one-time purchase. */
  ownedId: string;
  environment: Environment;
}

/** In USD micros, across all stores. */
export interface CustomerSpending {
  purchasedMicros: number;
  refundedMicros: number;
  /** Number of transactions with an unknown amount. */
  unknown: number;
  /** Number of payments that were refunded, in full or in part. */
  refunds: number;
}

/** The amounts of one payment and of its refunds; null if unknown or none. */
export interface PaymentMoney {
  currency: string | null;
  chargedMicros: number | null;
  chargedUsdMicros: number | null;
  refundedMicros: number | null;
  refundedUsdMicros: number | null;
}

/** A payment by any id that its store gave it. */
export interface PaymentName {
  projectId: string;
  customerId: string;
  environment: Environment;
  storeId: string;
}

/** Revenue in a currency without a USD rate. */
export interface UnconvertedMoney {
  currency: string;
  transactions: number;
  lastAt: Date;
}

/** A ledger row of a purchase, as a charge or a refund. */
export interface ChargeRow {
  id: string;
  recordedAt: Date;
  kind:
    | 'purchase'
    | 'trial_start'
    | 'renewal'
    | 'one_time'
    | 'proration'
    | 'correction'
    | 'refund'
    | 'refund_reversal';
  kindSeq: number;
  periodKey: string;
  storeTransactionId: string;
  storeProductId: string | null;
  quantity: number;
  /** Null: unknown price. */
  amountMicros: number | null;
  currency: string | null;
  country: string | null;
  purchasedAt: Date;
  expiresAt: Date | null;
}

function environments(only: string | null): string[] {
  return only === null ? ['production', 'sandbox'] : [only];
}

const order = ['t.purchased_at', 't.id'];
const sorting = order.map((column) => `${column} DESC`).join(', ');

const columns = `t.id, c.original_app_user_id AS "customerAppUserId", t.app_id AS "appId", t.store,
  t.store_ids[1] AS "storeTransactionId", t.store_product_id AS "storeProductId", t.kind, t.environment,
  t.purchased_at AS "purchasedAt", t.expires_at AS "expiresAt", t.subscription_id IS NULL AS "isOneTime",
  t.amount_micros AS "amountMicros", t.currency, t.usd_micros AS "usdMicros", t.commission_bps AS "commissionBps",
  t.tax_bps AS "taxBps", t.price_source AS "priceSource", t.country`;

/** The newest rows of each environment ($3), read from the start of its index. */
const newestOfEach = (conditions: string): string => `
  SELECT t.* FROM unnest($3::text[]) AS asked(environment) CROSS JOIN LATERAL (
    SELECT t.* FROM store_transactions t
    WHERE t.project_id = $1 AND t.environment = asked.environment${conditions}
    ORDER BY ${sorting} LIMIT $2) t`;

/** A customer's rows are few enough to scan them all. */
const newestOfOne = (conditions: string): string => `
  SELECT t.* FROM store_transactions t
  WHERE t.project_id = $1 AND t.environment = ANY ($3::text[])${conditions}`;

const find = statement(
  'transactions.find',
  `SELECT t.purchased_at AS "purchasedAt" FROM store_transactions t
   WHERE t.project_id = $1 AND t.id = $2 AND ($3::text IS NULL OR t.environment = $3)
     AND ($4::text IS NULL OR t.customer_id = ${customerIdOf('$4')})`,
);

const revenueOf = statement(
  'transactions.revenue_of_customers',
  `SELECT wanted.id AS "customerId", coalesce(sum(t.usd_micros) FILTER (WHERE t.environment = 'production'), 0)::bigint
       AS "productionMicros",
     coalesce(sum(t.usd_micros) FILTER (WHERE t.environment = 'sandbox'), 0)::bigint AS "sandboxMicros"
   FROM unnest($2::text[]) AS wanted(id)
   JOIN store_transactions t ON t.project_id = $1 AND t.customer_id = wanted.id
   GROUP BY wanted.id`,
);

const sumsOf = statement(
  'transactions.sums_of_customers',
  `SELECT t.customer_id AS "customerId", coalesce(t.subscription_id, t.purchase_id) AS "ownedId", t.environment,
     ${rateDay} AS day, t.currency,
     sum(t.amount_micros)::bigint AS "amountMicros", sum(t.usd_micros)::bigint AS "usdMicros"
   FROM store_transactions t WHERE t.project_id = $1 AND t.customer_id = ANY ($2::text[])
   GROUP BY 1, 2, 3, 4, 5, t.usd_micros IS NULL`,
);

const countriesOf = statement(
  'transactions.countries_of_customers',
  `SELECT DISTINCT ON (t.customer_id) t.customer_id AS "customerId", t.country FROM store_transactions t
   WHERE t.project_id = $1 AND t.customer_id = ANY ($2::text[]) AND t.country IS NOT NULL
   ORDER BY t.customer_id, t.purchased_at DESC, t.id DESC`,
);

const spending = statement(
  'transactions.spending_of_customer',
  `SELECT coalesce(sum(usd_micros) FILTER (WHERE kind NOT IN ('refund', 'refund_reversal')), 0)::bigint AS "purchasedMicros",
     coalesce(-sum(usd_micros) FILTER (WHERE kind IN ('refund', 'refund_reversal')), 0)::bigint AS "refundedMicros",
     count(*) FILTER (WHERE usd_micros IS NULL AND amount_micros IS DISTINCT FROM 0)::int AS unknown,
     count(DISTINCT (owner_key, period_key)) FILTER (WHERE kind = 'refund')::int AS refunds
   FROM store_transactions WHERE project_id = $1 AND customer_id = $2 AND environment = $3`,
);

const charges = statement(
  'transactions.charges_of_purchase',
  `SELECT t.id, t.recorded_at AS "recordedAt", t.kind, t.kind_seq AS "kindSeq", t.period_key AS "periodKey",
     t.store_ids[1] AS "storeTransactionId", t.store_product_id AS "storeProductId", t.quantity,
     t.amount_micros AS "amountMicros", t.currency, t.country, t.purchased_at AS "purchasedAt",
     t.expires_at AS "expiresAt"
   FROM store_transactions t
   WHERE t.project_id = $1 AND (t.subscription_id = $2 OR t.purchase_id = $2)
   ORDER BY t.recorded_at, t.purchased_at, t.kind_seq, t.id`,
);

const isRefund = `kind IN ('refund', 'refund_reversal')`;

const payment = statement(
  'transactions.money_of_payment',
  `SELECT max(currency) AS currency,
     (sum(amount_micros) FILTER (WHERE NOT ${isRefund}))::bigint AS "chargedMicros",
     (sum(usd_micros) FILTER (WHERE NOT ${isRefund}))::bigint AS "chargedUsdMicros",
     (-sum(amount_micros) FILTER (WHERE ${isRefund}))::bigint AS "refundedMicros",
     (-sum(usd_micros) FILTER (WHERE ${isRefund}))::bigint AS "refundedUsdMicros"
   FROM store_transactions
   WHERE project_id = $1 AND customer_id = $2 AND environment = $3 AND $4 = ANY (store_ids)`,
);

const unconverted = statement(
  'transactions.unconverted',
  `SELECT currency, count(*) AS transactions, max(purchased_at) AS "lastAt" FROM store_transactions
   WHERE project_id = $1 AND usd_micros IS NULL AND amount_micros IS NOT NULL AND currency IS NOT NULL
   GROUP BY currency ORDER BY currency`,
);

@Injectable()
export class TransactionsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The position of a transaction in the feed, or null if the feed does not contain it. */
  async placeOf(projectId: string, filter: TransactionFilter, id: string): Promise<Place | null> {
    const values = [projectId, id, filter.environment, filter.customer];
    const [row] = await this.database.forReading.query<{ purchasedAt: Date }>(find, values);
    return row ? [row.purchasedAt, id] : null;
  }

  page(
    projectId: string,
    { customer, environment }: TransactionFilter,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<TransactionRow[]> {
    const narrowing = new Narrowing('transactions.page', [projectId, limit + 1, environments(environment)]);
    const ofCustomer = narrowing.when('customer', customer, (id) => `t.customer_id = ${customerIdOf(id)}`);
    const behind = narrowing.behind(order, after);
    const ofEnvironment = customer === null ? newestOfEach(behind) : newestOfOne(ofCustomer + behind);
    const text = `SELECT ${columns} FROM (${ofEnvironment} ORDER BY ${sorting} LIMIT $2) t
      ${ownerOf('t')} ORDER BY ${sorting}`;
    return this.database.forReading.query(narrowing.statement(text), narrowing.values);
  }

  async revenueOf(projectId: string, customerIds: string[]): Promise<Map<string, CustomerRevenue>> {
    const rows = await this.database.forReading.query<CustomerRevenue>(revenueOf, [projectId, customerIds]);
    return new Map(rows.map((row) => [row.customerId, row]));
  }

  sumsOf(projectId: string, customerIds: string[]): Promise<PaymentSum[]> {
    return this.database.forReading.query(sumsOf, [projectId, customerIds]);
  }

  async countriesOf(projectId: string, customerIds: string[]): Promise<Map<string, string>> {
    type Row = { customerId: string; country: string };
    const rows = await this.database.forReading.query<Row>(countriesOf, [projectId, customerIds]);
    return new Map(rows.map(({ customerId, country }) => [customerId, country]));
  }

  async spendingOf(
    projectId: string,
    customerId: string,
    environment: Environment,
  ): Promise<CustomerSpending> {
    const [row] = await this.database.query<CustomerSpending>(spending, [projectId, customerId, environment]);
    return row ?? { purchasedMicros: 0, refundedMicros: 0, unknown: 0, refunds: 0 };
  }

  async moneyOf(
    executor: Executor,
    { projectId, customerId, environment, storeId }: PaymentName,
  ): Promise<PaymentMoney> {
    const values = [projectId, customerId, environment, storeId];
    const [row] = await executor.query<PaymentMoney>(payment, values);
    const nothing = {
      chargedMicros: null,
      chargedUsdMicros: null,
      refundedMicros: null,
      refundedUsdMicros: null,
    };
    return row ?? { currency: null, ...nothing };
  }

  chargesOf(executor: Executor, projectId: string, purchaseId: string): Promise<ChargeRow[]> {
    return executor.query(charges, [projectId, purchaseId]);
  }

  unconverted(projectId: string): Promise<UnconvertedMoney[]> {
    return this.database.forReading.query(unconverted, [projectId]);
  }
}
