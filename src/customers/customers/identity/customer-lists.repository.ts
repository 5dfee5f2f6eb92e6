import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { epochMs } from '../../../platform/database/epoch-ms.js';
import { Narrowing } from '../../../platform/database/narrowing.js';
import { statement } from '../../../platform/database/statement.js';
import type { Place } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { withOriginalTransaction } from './customer-names.sql.js';
import { customerStateColumns } from './customer-state.sql.js';
import type { AliasRow, CustomerRow } from './customer-state.js';

export type ListedCustomer = Pick<
  CustomerRow,
  | 'originalAppUserId'
  | 'firstSeenAtMs'
  | 'lastSeenAtMs'
  | 'lastSeenPlatform'
  | 'lastSeenPlatformVersion'
  | 'lastSeenAppVersion'
  | 'lastSeenCountry'
> & { createdAt: Date };

/** With the names that people know the customer by; null if unknown. */
export type NamedCustomer = ListedCustomer & {
  customerId: string;
  email: string | null;
  displayName: string | null;
};

/** A complete customer, found by one of several ids. */
export type FoundCustomer = CustomerRow & { askedAppUserId: string; currentOfferingOverride: string | null };

export interface SdkVersion {
  platform: string | null;
  /** The framework that wraps the SDK; null if there is none. */
  flavor: string | null;
  version: string;
  customers: number;
  lastSeenAt: Date;
}

/** Sort order of the list. Neither column changes; `first_seen_at` does in a merge, which would repeat a customer. */
const order = ['c.created_at', 'c.original_app_user_id COLLATE "C"'];
const sorting = order.map((column) => `${column} DESC`).join(', ');

const listed = `c.original_app_user_id AS "originalAppUserId", c.created_at AS "createdAt", ${epochMs('c.first_seen_at')} AS "firstSeenAtMs",
  ${epochMs('c.last_seen_at')} AS "lastSeenAtMs", c.last_seen_platform AS "lastSeenPlatform",
  c.last_seen_platform_version AS "lastSeenPlatformVersion", c.last_seen_app_version AS "lastSeenAppVersion",
  c.last_seen_country AS "lastSeenCountry"`;

const ownersOf = (identifiers: string, ownerColumn: string, table: string, search: string): string => `
    SELECT t.customer_id FROM ${identifiers} i
    JOIN ${table} t ON t.project_id = $1 AND t.id = i.${ownerColumn}
    WHERE i.project_id = $1 AND i.store_identifier = ${search}`;

/** Ids of customers that match a search exactly: by any id, by email address, or by a store id of a purchase. */
const idsNamedBy = (search: string): string => `
    SELECT a.customer_id FROM customer_aliases a WHERE a.project_id = $1 AND a.app_user_id = ${search}
    UNION
    SELECT t.customer_id FROM customer_attributes t
    WHERE t.project_id = $1 AND t.name = '$email' AND lower(left(t.value, 256)) = lower(${search})
    UNION ${ownersOf('subscription_identifiers', 'subscription_id', 'subscriptions', search)}
    UNION SELECT s.customer_id ${withOriginalTransaction(search)}
    UNION ${ownersOf('one_time_identifiers', 'purchase_id', 'one_time_purchases', search)}`;

const namedBy = (search: string): string => `c.id = ANY (ARRAY(${idsNamedBy(search)}))`;

/** Greater than any other character, so that it ends the range of texts with a beginning. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Ids of customers with an app user id or email from `start` to `end`, at most $2 of each. */
const idsWithin = (start: string, end: string): string => `
    (SELECT a.customer_id AS id FROM customer_aliases a
     WHERE a.project_id = $1 AND a.app_user_id >= ${start} AND a.app_user_id < ${end}
     ORDER BY a.app_user_id LIMIT $2)
    UNION
    (SELECT t.customer_id FROM customer_attributes t
     WHERE t.project_id = $1 AND t.name = '$email' AND lower(left(t.value, 256)) ~>=~ lower(${start})
       AND lower(left(t.value, 256)) ~<~ lower(${end}) ORDER BY lower(left(t.value, 256)) USING ~<~ LIMIT $2)`;

/**
 * The position of an id in the list. An id that was merged into another customer keeps its old position, because
 * aliases are created together with their customer.
 */
const placeOf = statement(
  'customers.place',
  `SELECT a.created_at AS "createdAt" FROM customer_aliases a WHERE a.project_id = $1 AND a.app_user_id = $2`,
);

const aliasColumns = `a.app_user_id AS "appUserId", a.is_anonymous AS "isAnonymous",
  ${epochMs('greatest(a.created_at, c.first_seen_at)')} AS "createdAtMs"`;

const findMany = statement(
  'customers.find_many',
  `SELECT wanted.app_user_id AS "askedAppUserId", c.current_offering_override AS "currentOfferingOverride",
     ${customerStateColumns}
   FROM unnest($2::text[]) WITH ORDINALITY AS wanted(app_user_id, position)
   CROSS JOIN LATERAL (
     SELECT customer_id FROM customer_aliases
     WHERE project_id = $1 AND app_user_id = wanted.app_user_id LIMIT 1) a
   CROSS JOIN LATERAL (SELECT * FROM customers WHERE project_id = $1 AND id = a.customer_id LIMIT 1) c
   ORDER BY wanted.position`,
);

/** Scans all customers of a project, which is acceptable for rare requests by people; devices never use it. */
const mostUsedSdkVersions = statement(
  'customers.sdk_versions',
  `SELECT last_seen_platform AS platform, last_seen_platform_flavor AS flavor, last_seen_sdk_version AS version,
     count(*) AS customers, max(last_seen_at) AS "lastSeenAt"
   FROM customers WHERE project_id = $1 AND last_seen_sdk_version IS NOT NULL
   GROUP BY 1, 2, 3 ORDER BY customers DESC, 1, 2, 3 LIMIT $2`,
);

/** Customers with an attribute, at most $5. $4: the beginning of the value, as indexed. */
const idsWithAttribute = statement(
  'customers.ids_with_attribute',
  `SELECT t.customer_id AS id FROM customer_attributes t
   WHERE t.project_id = $1 AND t.name = $2 AND left(t.value, 64) = $4 AND t.value = $3 LIMIT $5`,
);

const attributeOf = (name: string): string => `(SELECT t.value FROM customer_attributes t
     WHERE t.project_id = $1 AND t.customer_id = c.id AND t.name = '${name}')`;

const named = statement(
  'customers.named',
  `SELECT c.id AS "customerId", ${attributeOf('$email')} AS email, ${attributeOf('$displayName')} AS "displayName",
     ${listed}
   FROM customers c WHERE c.project_id = $1 AND c.id = ANY ($2::text[])`,
);

const idsBehind = statement(
  'customers.ids_behind',
  `SELECT c.id FROM customers c WHERE c.project_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3`,
);

@Injectable()
export class CustomerListsRepository {
  constructor(private readonly database: DatabaseService) {}

  page(
    projectId: string,
    search: string | null,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<ListedCustomer[]> {
    const narrowing = new Narrowing('customers.page', [projectId, limit + 1]);
    const named = narrowing.when('search', search, namedBy);
    const behind = narrowing.behind(order, after);
    const text = `SELECT ${listed} FROM customers c WHERE c.project_id = $1${named}${behind}
      ORDER BY ${sorting} LIMIT $2`;
    return this.database.forReading.query(narrowing.statement(text), narrowing.values);
  }

  async placeOf(projectId: string, appUserId: string): Promise<Place | null> {
    const values = [projectId, appUserId];
    const [row] = await this.database.forReading.query<{ createdAt: Date }>(placeOf, values);
    return row ? [row.createdAt, appUserId] : null;
  }

  aliases(
    projectId: string,
    customerId: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<AliasRow[]> {
    const narrowing = new Narrowing('customers.aliases', [projectId, customerId, limit + 1]);
    const behind = narrowing.behind(['a.app_user_id'], after, 'ASC');
    const text = `SELECT ${aliasColumns} FROM customer_aliases a
      JOIN customers c ON c.project_id = $1 AND c.id = a.customer_id
      WHERE a.project_id = $1 AND a.customer_id = $2${behind}
      ORDER BY a.app_user_id LIMIT $3`;
    return this.database.forReading.query(narrowing.statement(text), narrowing.values);
  }

  findMany(projectId: string, appUserIds: string[]): Promise<FoundCustomer[]> {
    return this.database.forReading.query(findMany, [projectId, appUserIds]);
  }

  mostUsedSdkVersions(projectId: string, limit: number): Promise<SdkVersion[]> {
    return this.database.query(mostUsedSdkVersions, [projectId, limit]);
  }

  /** Customers with an id (any alias) or email that starts so, or with exactly this store id; about `limit` of each. */
  async idsBeginningWith(projectId: string, beginning: string, limit: number): Promise<string[]> {
    const narrowing = new Narrowing('customers.ids_beginning_with', [
      projectId,
      limit,
      beginning,
      `${beginning}${LAST_CHARACTER}`,
    ]);
    const text = `${idsWithin('$3', '$4')} UNION ${idsNamedBy('$3')}`;
    const rows = await this.database.forReading.query<{ id: string }>(
      narrowing.statement(text),
      narrowing.values,
    );
    return rows.map(({ id }) => id);
  }

  async idsWithAttribute(projectId: string, name: string, value: string, limit: number): Promise<string[]> {
    const values = [projectId, name, value, [...value].slice(0, 64).join(''), limit];
    const rows = await this.database.forReading.query<{ id: string }>(idsWithAttribute, values);
    return rows.map(({ id }) => id);
  }

  /** By the customers' own ids, in any order. */
  named(projectId: string, customerIds: readonly string[]): Promise<NamedCustomer[]> {
    return this.database.forReading.query(named, [projectId, customerIds]);
  }

  async idsBehind(tx: Transaction, projectId: string, after: string, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(idsBehind, [projectId, after, limit]);
    return rows.map(({ id }) => id);
  }
}
