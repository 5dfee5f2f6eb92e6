import { Injectable } from '@nestjs/common';
import type { SubscriptionRow, OneTimeRow } from '../../customers/customers/identity/customer-state.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { MoneyMicros } from './money.js';
import { subscriptionColumns, oneTimeColumns } from './purchase-columns.sql.js';

/** Newest first, after a position ($4, $5; null: from the start). A null environment selects both. */
function pageOf(table: string, columns: string, time: string): string {
  return `SELECT ${columns}, t.${time} AS at FROM ${table} t
    WHERE t.project_id = $1 AND t.customer_id = $2 AND ($3::text IS NULL OR t.environment = $3)
      AND ($4::timestamptz IS NULL OR (t.${time}, t.id) < ($4, $5::text))
    ORDER BY t.${time} DESC, t.id DESC LIMIT $6`;
}

const subscriptionsPage = statement(
  'purchases.subscriptions_page',
  pageOf('subscriptions', subscriptionColumns, 'started_at'),
);
const oneTimePage = statement(
  'purchases.one_time_page',
  pageOf('one_time_purchases', oneTimeColumns, 'purchased_at'),
);

const placeOfSubscription = statement(
  'purchases.place_of_subscription',
  `SELECT started_at AS at FROM subscriptions WHERE project_id = $1 AND customer_id = $2 AND id = $3`,
);
const placeOfOneTime = statement(
  'purchases.place_of_one_time',
  `SELECT purchased_at AS at FROM one_time_purchases WHERE project_id = $1 AND customer_id = $2 AND id = $3`,
);

/** The start of a purchase in a list. */
interface Dated {
  at: Date;
}

/** Refunds are separate rows with negative amounts. Amounts without a USD rate count as zero. */
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

@Injectable()
export class PurchasesRepository {
  constructor(private readonly database: DatabaseService) {}

  subscriptionsOf(
    projectId: string,
    customerId: string,
    environment: string | null,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<(SubscriptionRow & Dated)[]> {
    const place = after ?? [null, null];
    return this.database.query(subscriptionsPage, [projectId, customerId, environment, ...place, limit + 1]);
  }

  oneTimeOf(
    projectId: string,
    customerId: string,
    environment: string | null,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<(OneTimeRow & Dated)[]> {
    const place = after ?? [null, null];
    return this.database.query(oneTimePage, [projectId, customerId, environment, ...place, limit + 1]);
  }

  /** The position of a purchase in the list, or null if it belongs to another customer. */
  async placeOf(
    projectId: string,
    customerId: string,
    kind: PurchaseKind,
    id: string,
  ): Promise<Place | null> {
    const command = kind === 'subscription' ? placeOfSubscription : placeOfOneTime;
    const [row] = await this.database.query<Dated>(command, [projectId, customerId, id]);
    return row ? [row.at, id] : null;
  }

  async usdTotals(projectId: string, kind: PurchaseKind, ids: string[]): Promise<Map<string, MoneyMicros>> {
    const [subscriptions, oneTime] = kind === 'subscription' ? [ids, []] : [[], ids];
    const rows = await this.database.query<MoneyMicros & { id: string }>(usdTotals, [
      projectId,
      subscriptions,
      oneTime,
    ]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
