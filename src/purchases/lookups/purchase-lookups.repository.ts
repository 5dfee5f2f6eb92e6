import { Injectable } from '@nestjs/common';
import type { SubscriptionFacts, Environment } from '../../../libs/engine/index.js';
import type { SubscriptionRow, OneTimeRow } from '../../customers/customers/identity/customer-state.js';
import { ownerOf, withOriginalTransaction } from '../../customers/customers/identity/customer-names.sql.js';
import { storesWithKeysOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { subscriptionColumns, oneTimeColumns } from './purchase-columns.sql.js';
import type { PurchaseKind } from './purchases.repository.js';

interface Found {
  /** The owner's original app user id. */
  customerAppUserId: string;
  /** See `CustomerRow`. */
  testClockMs: number | null;
  /** When the purchase started. */
  at: Date;
}

export interface FoundRows {
  subscription: SubscriptionRow & Found;
  one_time: OneTimeRow & Found;
}

interface Source {
  table: string;
  columns: string;
  time: string;
  identifiers: string;
  ownerColumn: string;
}

const sources: Record<PurchaseKind, Source> = {
  subscription: {
    table: 'subscriptions',
    columns: subscriptionColumns,
    time: 't.started_at',
    identifiers: 'subscription_identifiers',
    ownerColumn: 'subscription_id',
  },
  one_time: {
    table: 'one_time_purchases',
    columns: oneTimeColumns,
    time: 't.purchased_at',
    identifiers: 'one_time_identifiers',
    ownerColumn: 'purchase_id',
  },
};

/** A one-time purchase in the list of all purchases of one product. */
export interface OwnedPurchase {
  at: Date;
  environment: Environment;
  key: string;
}

export interface RentedProduct {
  appId: string;
  storeProductId: string;
  purchases: number;
}

export interface KnownPurchase {
  kind: PurchaseKind;
  environment: Environment;
  factsAtMs: number;
}

/** A one-time purchase that an order paid for. */
export interface OrderKey {
  orderId: string;
  key: string;
}

const known = statement(
  'purchases.known',
  `SELECT 'subscription' AS kind, s.environment, s.facts_at_ms AS "factsAtMs" FROM subscriptions s
   WHERE s.project_id = $1 AND s.store = ANY ($2::text[]) AND s.environment IN ('production', 'sandbox') AND s.store_key = $3
   UNION ALL
   SELECT 'one_time', o.environment, o.facts_at_ms FROM one_time_purchases o
   WHERE o.project_id = $1 AND o.store = ANY ($2::text[]) AND o.environment IN ('production', 'sandbox') AND o.purchase_key = $3
   UNION ALL
   SELECT 'subscription', s.environment, s.facts_at_ms FROM subscription_identifiers i
   JOIN subscriptions s ON s.project_id = $1 AND s.id = i.subscription_id
   WHERE i.project_id = $1 AND i.store_identifier = $3 AND s.store = ANY ($2::text[]) AND s.facts -> 'continuations' -> $3::text IS NOT NULL
   LIMIT 1`,
);

const keysOfOrders = statement(
  'purchases.keys_of_orders',
  `SELECT i.store_identifier AS "orderId", o.purchase_key AS key FROM one_time_identifiers i
   JOIN one_time_purchases o ON o.project_id = $1 AND o.id = i.purchase_id
   WHERE i.project_id = $1 AND i.store_identifier = ANY($3::text[]) AND o.store = ANY ($2::text[])`,
);

const continued = statement(
  'purchases.continued',
  `SELECT i.store_identifier AS name, s.store_key AS key FROM subscription_identifiers i
   JOIN subscriptions s ON s.project_id = $1 AND s.id = i.subscription_id
   WHERE i.project_id = $1 AND i.store_identifier = ANY($3::text[]) AND s.store = ANY ($2::text[])
     AND s.facts -> 'continuations' -> i.store_identifier IS NOT NULL`,
);

const continuations = statement(
  'purchases.continuations',
  `SELECT s.facts -> 'continuations' AS continuations FROM subscriptions s
   WHERE s.project_id = $1 AND s.store = ANY ($2::text[]) AND s.environment IN ('production', 'sandbox') AND s.store_key = $3
     AND s.facts -> 'continuations' IS NOT NULL`,
);

/** The store's ids of a subscription's periods, latest period first. */
const transactionIds = statement(
  'purchases.transaction_ids',
  `SELECT ARRAY(
     SELECT p.value #>> '{value,storeTransactionId}' FROM json_each(s.facts -> 'periods') p
     ORDER BY (p.value #>> '{value,startMs}')::float8 DESC LIMIT 3) AS ids
   FROM subscriptions s
   WHERE s.project_id = $1 AND s.store = ANY ($2::text[]) AND s.environment IN ('production', 'sandbox') AND s.store_key = $3`,
);

const subscriptionsByIds = statement(
  'purchases.subscriptions_by_ids',
  `SELECT ${subscriptionColumns} FROM subscriptions t WHERE t.project_id = $1 AND t.id = ANY ($2::text[])`,
);

const aliased = statement(
  'purchases.aliased',
  `SELECT subscription_id AS id FROM subscription_aliases WHERE project_id = $1 AND alias_id = $2`,
);

const rentedProducts = statement(
  'purchases.rented_products',
  `SELECT o.app_id AS "appId", o.store_product_id AS "storeProductId", count(*)::int AS purchases
   FROM one_time_purchases o
   WHERE o.project_id = $1 AND o.facts #>> '{purchase,value,isRental}' = 'true'
     AND o.app_id IS NOT NULL AND o.store_product_id IS NOT NULL
   GROUP BY o.app_id, o.store_product_id ORDER BY o.app_id, o.store_product_id`,
);

/** After the position ($4, $5), oldest first. */
const ownedOfProduct = statement(
  'purchases.owned_of_product',
  `SELECT o.purchased_at AS at, o.environment, o.purchase_key AS key FROM one_time_purchases o
   WHERE o.project_id = $1 AND o.app_id = $2 AND o.store_product_id = $3 AND o.status = 'owned'
     AND o.purchased_at >= $4 AND (o.purchased_at, o.purchase_key) > ($4, $5::text)
   ORDER BY o.purchased_at, o.purchase_key LIMIT $6`,
);

@Injectable()
export class PurchaseLookupsRepository {
  constructor(private readonly database: DatabaseService) {}

  async known(projectId: string, store: string, key: string): Promise<KnownPurchase | null> {
    const rows = await this.database.query<KnownPurchase>(known, [projectId, storesWithKeysOf(store), key]);
    return rows[0] ?? null;
  }

  keysOfOrders(projectId: string, store: string, orderIds: string[]): Promise<OrderKey[]> {
    return this.database.query<OrderKey>(keysOfOrders, [projectId, storesWithKeysOf(store), orderIds]);
  }

  ownedOfProduct(
    { projectId, appId }: { projectId: string; appId: string },
    storeProductId: string,
    after: Pick<OwnedPurchase, 'at' | 'key'>,
    limit: number,
  ): Promise<OwnedPurchase[]> {
    const values = [projectId, appId, storeProductId, after.at, after.key, limit];
    return this.database.query<OwnedPurchase>(ownedOfProduct, values);
  }

  rentedProducts(projectId: string): Promise<RentedProduct[]> {
    return this.database.forReading.query<RentedProduct>(rentedProducts, [projectId]);
  }

  subscriptionsByIds(
    executor: Executor,
    projectId: string,
    ids: readonly string[],
  ): Promise<SubscriptionRow[]> {
    return executor.query<SubscriptionRow>(subscriptionsByIds, [projectId, ids]);
  }

  /** The subscription into which the given one was merged; null if it was not merged. */
  async aliased(projectId: string, id: string): Promise<string | null> {
    return (await this.database.query<{ id: string }>(aliased, [projectId, id]))[0]?.id ?? null;
  }

  /** Keys of the subscriptions that purchases continue, by purchase name; excludes purchases that continue none. */
  async continued(projectId: string, store: string, names: string[]): Promise<Map<string, string>> {
    const rows = await this.database.query<{ name: string; key: string }>(continued, [
      projectId,
      storesWithKeysOf(store),
      names,
    ]);
    return new Map(rows.map(({ name, key }) => [name, key]));
  }

  /** The purchases that continued a subscription; null if there is only one purchase. */
  async continuations(
    projectId: string,
    store: string,
    key: string,
  ): Promise<Required<SubscriptionFacts>['continuations'] | null> {
    const [row] = await this.database.query<{ continuations: Required<SubscriptionFacts>['continuations'] }>(
      continuations,
      [projectId, storesWithKeysOf(store), key],
    );
    return row?.continuations ?? null;
  }

  /** Latest first; empty for an unknown subscription. */
  async transactionIds(projectId: string, store: string, key: string): Promise<string[]> {
    const [row] = await this.database.query<{ ids: string[] }>(transactionIds, [
      projectId,
      storesWithKeysOf(store),
      key,
    ]);
    return row?.ids ?? [];
  }

  /** A purchase by its id; with `storeIdentifier`, only if its store ever used that id for it. */
  async find<Kind extends PurchaseKind>(
    projectId: string,
    kind: Kind,
    id: string,
    storeIdentifier: string | null = null,
  ): Promise<FoundRows[Kind] | null> {
    const narrowing = new Narrowing(`purchases.find.${kind}`, [projectId, id]);
    const named = this.named(narrowing, kind, storeIdentifier);
    return (await this.run(kind, narrowing, `AND t.id = $2${named}`))[0] ?? null;
  }

  /** Up to `limit + 1` purchases that ever had a given store id, newest first. */
  page<Kind extends PurchaseKind>(
    projectId: string,
    kind: Kind,
    storeIdentifier: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<FoundRows[Kind][]> {
    const { time } = sources[kind];
    const narrowing = new Narrowing(`purchases.named.${kind}`, [projectId, limit + 1]);
    const named = this.named(narrowing, kind, storeIdentifier);
    const behind = narrowing.behind([time, 't.id'], after);
    return this.run(kind, narrowing, `${named}${behind} ORDER BY ${time} DESC, t.id DESC LIMIT $2`);
  }

  private named(narrowing: Narrowing, kind: PurchaseKind, storeIdentifier: string | null): string {
    const { identifiers, ownerColumn } = sources[kind];
    return narrowing.when(
      'named',
      storeIdentifier,
      (parameter) => `t.id = ANY (ARRAY(
        SELECT i.${ownerColumn} FROM ${identifiers} i
        WHERE i.project_id = $1 AND i.store_identifier = ${parameter}
        ${kind === 'subscription' ? `UNION SELECT s.id ${withOriginalTransaction(parameter)}` : ''}))`,
    );
  }

  private run<Kind extends PurchaseKind>(
    kind: Kind,
    narrowing: Narrowing,
    conditions: string,
  ): Promise<FoundRows[Kind][]> {
    const { table, columns, time } = sources[kind];
    const text = `SELECT ${columns}, ${time} AS at, c.original_app_user_id AS "customerAppUserId",
        ${epochMs('c.test_clock_at')} AS "testClockMs"
      FROM ${table} t ${ownerOf('t')}
      WHERE t.project_id = $1 ${conditions}`;
    return this.database.query<FoundRows[Kind]>(narrowing.statement(text), narrowing.values);
  }
}
