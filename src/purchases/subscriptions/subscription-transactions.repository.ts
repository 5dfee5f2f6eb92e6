import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { StoredAmount } from '../lookups/display-amount.policy.js';
import { rateDay } from '../lookups/purchase-columns.sql.js';

/** A paid period or a trial start in the ledger. */
export interface SubscriptionTransactionRow extends StoredAmount {
  /** The store's transaction id. */
  id: string;
  periodKey: string;
  purchasedAt: Date;
  expiresAt: Date | null;
  storeProductId: string | null;
  commissionBps: number;
  taxBps: number;
}

export const transactionSorts = ['id', 'purchased_at'] as const;
export const sortDirections = ['asc', 'desc'] as const;

export interface TransactionOrder {
  sort: (typeof transactionSorts)[number];
  direction: (typeof sortDirections)[number];
}

export function placeOfTransaction({ sort }: TransactionOrder, row: SubscriptionTransactionRow): Place {
  return sort === 'id' ? [row.id] : [row.purchasedAt, row.id];
}

const storeId = `t.store_ids[1] COLLATE "C"`;

const sortColumns: Record<TransactionOrder['sort'], string[]> = {
  id: [storeId],
  purchased_at: ['t.purchased_at', storeId],
};

/** A fee that the store reported after the payment. */
const correctedCommission = `(SELECT c.commission_bps FROM store_transactions c
  WHERE c.project_id = $1 AND c.subscription_id = $2 AND c.period_key = t.period_key AND c.kind = 'correction'
  ORDER BY c.kind_seq DESC LIMIT 1)`;

const columns = `${storeId} AS id, t.period_key AS "periodKey", t.purchased_at AS "purchasedAt",
  t.expires_at AS "expiresAt", t.store_product_id AS "storeProductId", t.amount_micros AS "amountMicros",
  t.currency, ${rateDay} AS day, t.usd_micros AS "usdMicros", coalesce(${correctedCommission}, t.commission_bps) AS "commissionBps", t.tax_bps AS "taxBps"`;

/** Refunds and corrections are not listed as transactions. */
const ofSubscription = `t.project_id = $1 AND t.subscription_id = $2
  AND t.kind IN ('purchase', 'trial_start', 'renewal')`;

const find = statement(
  'subscription_transactions.find',
  `SELECT ${columns} FROM store_transactions t WHERE ${ofSubscription} AND t.store_ids[1] = $3`,
);

@Injectable()
export class SubscriptionTransactionsRepository {
  constructor(private readonly database: DatabaseService) {}

  async find(
    projectId: string,
    subscriptionId: string,
    id: string,
  ): Promise<SubscriptionTransactionRow | null> {
    const rows = await this.database.query<SubscriptionTransactionRow>(find, [projectId, subscriptionId, id]);
    return rows[0] ?? null;
  }

  page(
    projectId: string,
    subscriptionId: string,
    order: TransactionOrder,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<SubscriptionTransactionRow[]> {
    const { sort } = order;
    const direction = order.direction === 'asc' ? 'ASC' : 'DESC';
    const name = `subscription_transactions.page.${sort}.${direction}`;
    const narrowing = new Narrowing(name, [projectId, subscriptionId, limit + 1]);
    const behind = narrowing.behind(sortColumns[sort], after, direction);
    const sorting = sortColumns[sort].map((column) => `${column} ${direction}`).join(', ');
    const text = `SELECT ${columns} FROM store_transactions t
      WHERE ${ofSubscription}${behind} ORDER BY ${sorting} LIMIT $3`;
    return this.database.query(narrowing.statement(text), narrowing.values);
  }
}
