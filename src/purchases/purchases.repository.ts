import { Inject, Injectable } from '@nestjs/common';
import type { ChainRow, OneTimeRow } from '../customers/customer-state.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';
import type { MoneyMicros } from './money.js';
import { chainColumns, oneTimeColumns } from './purchase-columns.sql.js';

/** Newest first; the cursor row gives the place to go on from. Null environment: both. */
function pageOf(table: string, columns: string, time: string): string {
  return `SELECT ${columns} FROM ${table} t
    WHERE t.project_id = $1 AND t.customer_id = $2 AND ($3::text IS NULL OR t.environment = $3)
      AND ($4::text IS NULL OR (t.${time}, t.id) < (
        SELECT x.${time}, x.id FROM ${table} x WHERE x.project_id = $1 AND x.customer_id = $2 AND x.id = $4))
    ORDER BY t.${time} DESC, t.id DESC LIMIT $5`;
}

const chainsPage = statement('purchases.chains_page', pageOf('subscriptions', chainColumns, 'started_at'));
const oneTimePage = statement(
  'purchases.one_time_page',
  pageOf('one_time_purchases', oneTimeColumns, 'purchased_at'),
);

const ownsChain = statement(
  'purchases.owns_chain',
  `SELECT 1 FROM subscriptions WHERE project_id = $1 AND customer_id = $2 AND id = $3`,
);
const ownsOneTime = statement(
  'purchases.owns_one_time',
  `SELECT 1 FROM one_time_purchases WHERE project_id = $1 AND customer_id = $2 AND id = $3`,
);

/** Refunds are rows of their own with negative amounts. Money without a USD rate counts as nothing. */
const usdTotals = statement(
  'purchases.usd_totals',
  `SELECT coalesce(subscription_id, purchase_id) AS id, coalesce(sum(usd_micros), 0)::bigint AS "grossMicros",
     coalesce(round(sum(usd_micros::numeric * commission_bps / 10000)), 0)::bigint AS "commissionMicros",
     coalesce(round(sum(usd_micros::numeric * tax_bps / 10000)), 0)::bigint AS "taxMicros"
   FROM store_transactions
   WHERE project_id = $1 AND (subscription_id = ANY($2::text[]) OR purchase_id = ANY($3::text[]))
   GROUP BY 1`,
);

export type PurchaseKind = 'subscription' | 'one_time';

/** Reads of purchases for REST v2. */
@Injectable()
export class PurchasesRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One more than a page of a customer's chains. */
  chainsOf(
    projectId: string,
    customerId: string,
    environment: string | null,
    page: PageRequest,
  ): Promise<ChainRow[]> {
    return this.database.query(chainsPage, [projectId, customerId, environment, page.after, page.limit + 1]);
  }

  /** One more than a page of a customer's one-time purchases. */
  oneTimeOf(
    projectId: string,
    customerId: string,
    environment: string | null,
    page: PageRequest,
  ): Promise<OneTimeRow[]> {
    return this.database.query(oneTimePage, [projectId, customerId, environment, page.after, page.limit + 1]);
  }

  async owns(projectId: string, customerId: string, kind: PurchaseKind, id: string): Promise<boolean> {
    const rows = await this.database.query(kind === 'subscription' ? ownsChain : ownsOneTime, [
      projectId,
      customerId,
      id,
    ]);
    return rows.length > 0;
  }

  /** USD totals by purchase id. */
  async usdTotals(projectId: string, kind: PurchaseKind, ids: string[]): Promise<Map<string, MoneyMicros>> {
    const [chains, oneTime] = kind === 'subscription' ? [ids, []] : [[], ids];
    const rows = await this.database.query<MoneyMicros & { id: string }>(usdTotals, [
      projectId,
      chains,
      oneTime,
    ]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
