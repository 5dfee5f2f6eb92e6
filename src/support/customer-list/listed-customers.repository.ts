import { Injectable } from '@nestjs/common';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Reader, type Transaction } from '../../platform/database/database.service.js';
import { localSettings } from '../../platform/database/local-settings.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import {
  acrossProjects,
  longStatement,
  type Statement,
  statement,
} from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { CustomerSort, CustomerStatus } from './customer-filters.query.js';
import type { CustomerSelection } from './customer-selection.policy.js';

export interface ListedRow {
  customerId: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  spentUsdMicros: number;
  /** The country of the device; without one, that of the newest purchase. */
  country: string | null;
  /** Tags about purchases in the environment of the list, without project and environment. */
  tags: string[];
  hasAccess: boolean;
  inTrial: boolean;
  inGracePeriod: boolean;
  refunds: number;
}

export interface CustomerOrder {
  sort: CustomerSort;
  direction: 'ASC' | 'DESC';
}

/** The rows to look at: those of some customers, or all. */
export interface ListScope {
  selection: CustomerSelection;
  customerIds: readonly string[] | null;
  /** If the customers with the attribute are too many to name. */
  attribute: { name: string; value: string } | null;
  now: Date;
}

/** Up to this many customers are counted, and sorted without an index. */
export const MAX_COUNTED = 10_000;

/**
 * The planner assumes that filters are independent. Without these settings it would read a whole project for a
 * combination that hardly any customer has.
 */
const plannerFor = (indexScans: 'on' | 'off'): Statement =>
  localSettings({ enable_seqscan: 'off', enable_indexscan: indexScans, enable_indexonlyscan: indexScans });

const columnOf = (column: string, { environment }: CustomerSelection): string =>
  environment === 'sandbox' ? `sandbox_${column}` : column;

function orderColumns({ sort }: CustomerOrder, selection: CustomerSelection): string[] {
  const column = { last_seen: 'last_seen_at', first_seen: 'first_seen_at' } as const;
  const first = sort === 'spent' ? columnOf('spent_usd_micros', selection) : column[sort];
  return [`l.${first}`, 'l.customer_id'];
}

/** Conditions on time, at the customer's own time. */
function timeOfStatus(status: CustomerStatus | null, selection: CustomerSelection, now: string): string {
  const until = (column: string): string => `l.${columnOf(column, selection)}`;
  const customerNow = `coalesce(l.clock_at, ${now})`;
  switch (status) {
    case 'active':
      return `${until('access_until')} > ${customerNow}`;
    case 'trial':
      return `${until('trial_until')} > ${customerNow}`;
    case 'in_grace_period':
      return `${until('grace_until')} > ${customerNow}`;
    case 'expired':
      return `(${until('access_until')} <= ${customerNow} OR ${until('access_until')} IS NULL)`;
    case 'refunded':
      return `l.${columnOf('refunds', selection)} > 0`;
    case 'billing_issue':
    case 'never_bought':
    case null:
      return 'true';
  }
}

/** WHERE of a scope, with its parameters. $1: project, $2: current time. */
function conditionsOf(scope: ListScope, narrowing: Narrowing): string {
  const { selection, customerIds, attribute } = scope;
  const { tags, anyOf, status, firstSeen, lastSeen, spentAtLeastMicros } = selection;
  const spent = columnOf('spent_usd_micros', selection);
  return [
    // Names the type of a parameter that not every list uses.
    'l.project_id = $1 AND $2::timestamptz IS NOT NULL',
    ` AND ${timeOfStatus(status, selection, '$2::timestamptz')}`,
    narrowing.when('tags', tags.length > 0 ? tags : null, (value) => `l.tags @> ${value}::text[]`),
    ...anyOf.map((group, index) =>
      narrowing.when(`any${index}`, group, (value) => `l.tags && ${value}::text[]`),
    ),
    narrowing.when('first', firstSeen.from, (value) => `l.first_seen_at >= ${value}`),
    narrowing.when('first_before', firstSeen.before, (value) => `l.first_seen_at < ${value}`),
    narrowing.when('last', lastSeen.from, (value) => `l.last_seen_at >= ${value}`),
    narrowing.when('last_before', lastSeen.before, (value) => `l.last_seen_at < ${value}`),
    narrowing.when('spent', spentAtLeastMicros, (value) => `l.${spent} >= ${value}`),
    narrowing.when('ids', customerIds, (value) => `l.customer_id = ANY (${value}::text[])`),
    narrowing.when(
      'attribute',
      attribute && [attribute.name, attribute.value],
      (value) => `EXISTS (SELECT 1 FROM customer_attributes a
        WHERE a.project_id = $1 AND a.customer_id = l.customer_id AND a.name = (${value}::text[])[1]
          AND a.value = (${value}::text[])[2])`,
    ),
  ].join('');
}

/** Planned for its values: a rare tag needs another plan than a common one. */
const planned = (text: string, name: string): Statement => ({ name, text, unnamed: true });

/** Counts at most `limit` customers. */
export function countStatement(
  scope: ListScope,
  projectId: string,
  limit = MAX_COUNTED + 1,
): { text: string; values: unknown[] } {
  const narrowing = new Narrowing('', [projectId, scope.now]);
  const text = `SELECT count(*)::int AS count FROM (
    SELECT 1 FROM listed_customers l WHERE ${conditionsOf(scope, narrowing)} LIMIT ${limit}) counted`;
  return { text, values: narrowing.values };
}

/** The columns of `ListedRow`. $2: current time, $3: what tags about purchases begin with. */
function shownColumns(selection: CustomerSelection): string {
  const until = (column: string): string =>
    `coalesce(l.${columnOf(column, selection)} > coalesce(l.clock_at, $2), false)`;
  return `l.customer_id AS "customerId", l.first_seen_at AS "firstSeenAt", l.last_seen_at AS "lastSeenAt",
    l.${columnOf('spent_usd_micros', selection)} AS "spentUsdMicros", l.${columnOf('refunds', selection)} AS refunds,
    ARRAY(SELECT substr(t.tag, length($3::text) + 1) FROM unnest(l.tags) AS t (tag)
      WHERE starts_with(t.tag, $3::text)) AS tags,
    (SELECT right(t.tag, 2) FROM unnest(l.tags) AS t (tag)
      WHERE starts_with(t.tag, $1::text || '|country:') LIMIT 1) AS country,
    ${until('access_until')} AS "hasAccess", ${until('trial_until')} AS "inTrial", ${until('grace_until')} AS "inGracePeriod"`;
}

const tagPrefix = (projectId: string, { environment }: CustomerSelection): string =>
  `${projectId}|${environment === 'sandbox' ? 'sandbox:' : ''}`;

/** `sortsAll`: the matching rows are few, so they are all found before they are sorted. */
export function pageStatement(
  scope: ListScope,
  projectId: string,
  order: CustomerOrder,
  page: { limit: number; after: Place | null; sortsAll: boolean },
): { text: string; values: unknown[] } {
  const { selection } = scope;
  const narrowing = new Narrowing('', [projectId, scope.now, tagPrefix(projectId, selection)]);
  const conditions = conditionsOf(scope, narrowing);
  const columns = orderColumns(order, selection);
  const behind = narrowing.behind(columns, page.after, order.direction);
  const shown = shownColumns(selection);
  const sorting = columns.map((column) => `${column} ${order.direction}`).join(', ');
  const text = page.sortsAll
    ? `WITH matching AS MATERIALIZED (SELECT l.* FROM listed_customers l WHERE ${conditions})
       SELECT ${shown} FROM matching l WHERE true${behind} ORDER BY ${sorting} LIMIT ${page.limit}`
    : `SELECT ${shown} FROM listed_customers l WHERE ${conditions}${behind} ORDER BY ${sorting} LIMIT ${page.limit}`;
  return { text, values: narrowing.values };
}

/** Matching customers among the next `size` behind `after`, by id. Its cost does not depend on how many match. */
export function windowStatement(
  scope: ListScope,
  projectId: string,
  { after, size }: { after: string; size: number },
): { text: string; values: unknown[] } {
  const values = [projectId, scope.now, tagPrefix(projectId, scope.selection), after, size];
  const narrowing = new Narrowing('', values);
  const text = `WITH next AS MATERIALIZED (
      SELECT l.* FROM listed_customers l WHERE l.project_id = $1 AND l.customer_id > $4
      ORDER BY l.customer_id LIMIT $5)
    SELECT ${shownColumns(scope.selection)} FROM next l WHERE ${conditionsOf(scope, narrowing)}
    ORDER BY l.customer_id`;
  return { text, values: narrowing.values };
}

/** The last customer of a window; no row if fewer than $3 are left. */
const windowEnd = statement(
  'listed_customers.window_end',
  `SELECT l.customer_id AS "customerId" FROM listed_customers l
   WHERE l.project_id = $1 AND l.customer_id > $2 ORDER BY l.customer_id OFFSET $3 - 1 LIMIT 1`,
);

/** The first project after `$1` with customers to list. */
const nextChanged = acrossProjects(
  'listed_customers.next_changed',
  `SELECT c.project_id AS "projectId" FROM listed_customer_changes c
   WHERE c.project_id > $1 AND ${isHere('c.project_id')} ORDER BY c.project_id LIMIT 1`,
);

const nextFill = acrossProjects(
  'listed_customers.next_fill',
  `SELECT f.project_id AS "projectId" FROM listed_customer_fills f
   WHERE f.project_id > $1 AND ${isHere('f.project_id')} ORDER BY f.project_id LIMIT 1`,
);

/** Without the lock, the older of two computations could overwrite the newer one. */
const lock = statement(
  'listed_customers.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('listed_customers:' || $1, 0))`,
);

const takeChanged = statement(
  'listed_customers.take_changed',
  `DELETE FROM listed_customer_changes WHERE project_id = $1 AND id IN (
     SELECT c.id FROM listed_customer_changes c WHERE c.project_id = $1 ORDER BY c.id LIMIT $2)
   RETURNING customer_id AS "customerId"`,
);

const list = longStatement('listed_customers.list', 'SELECT list_customers($1, $2::text[])');

const findFill = statement(
  'listed_customers.find_fill',
  'SELECT f.after_customer_id AS after FROM listed_customer_fills f WHERE f.project_id = $1',
);

const continueFill = statement(
  'listed_customers.continue_fill',
  'UPDATE listed_customer_fills SET after_customer_id = $2 WHERE project_id = $1',
);

const endFill = statement(
  'listed_customers.end_fill',
  'DELETE FROM listed_customer_fills WHERE project_id = $1',
);

const fillOf = statement(
  'listed_customers.fill_of',
  'SELECT 1 FROM listed_customer_fills WHERE project_id = $1',
);

const find = statement(
  'listed_customers.find',
  `SELECT l.first_seen_at AS "firstSeenAt", l.last_seen_at AS "lastSeenAt", l.spent_usd_micros AS "spentUsdMicros",
     l.sandbox_spent_usd_micros AS "sandboxSpentUsdMicros"
   FROM listed_customers l WHERE l.project_id = $1 AND l.customer_id = $2`,
);

@Injectable()
export class ListedCustomersRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The number of matching customers, at most `limit` (one more than `MAX_COUNTED`). */
  count(projectId: string, scope: ListScope, limit?: number): Promise<number> {
    return this.database.snapshotForReading((reader) => this.counted(reader, projectId, scope, limit));
  }

  /** Matching customers among the next `size` behind `after`, by id. `end` is the last of these; null at the end. */
  window(
    projectId: string,
    scope: ListScope,
    window: { after: string; size: number },
  ): Promise<{ rows: ListedRow[]; end: string | null }> {
    return this.database.snapshotForReading(async (reader) => {
      const { text, values } = windowStatement(scope, projectId, window);
      await reader.query(plannerFor('on'), []);
      const ends = [projectId, window.after, window.size];
      const [end] = await reader.query<{ customerId: string }>(windowEnd, ends);
      const rows = await reader.query<ListedRow>(planned(text, 'listed_customers.window'), values);
      return { rows, end: end?.customerId ?? null };
    });
  }

  /** The first rows behind `after`. */
  page(
    projectId: string,
    scope: ListScope,
    order: CustomerOrder,
    page: { limit: number; after: Place | null },
  ): Promise<ListedRow[]> {
    return this.database.snapshotForReading(async (reader) => {
      const sortsAll =
        scope.customerIds !== null ||
        (isNarrow(scope.selection, order) && (await this.counted(reader, projectId, scope)) <= MAX_COUNTED);
      const { text, values } = pageStatement(scope, projectId, order, { ...page, sortsAll });
      await reader.query(plannerFor(sortsAll && usesTags(scope) ? 'off' : 'on'), []);
      return reader.query<ListedRow>(planned(text, 'listed_customers.page'), values);
    });
  }

  async placeOf(
    projectId: string,
    customerId: string,
    { sort }: CustomerOrder,
    environment: 'production' | 'sandbox',
  ): Promise<Place | null> {
    type Row = Record<'firstSeenAt' | 'lastSeenAt', Date> &
      Record<'spentUsdMicros' | 'sandboxSpentUsdMicros', number>;
    const [row] = await this.database.forReading.query<Row>(find, [projectId, customerId]);
    if (!row) return null;
    const spent = environment === 'sandbox' ? row.sandboxSpentUsdMicros : row.spentUsdMicros;
    return [{ last_seen: row.lastSeenAt, first_seen: row.firstSeenAt, spent }[sort], customerId];
  }

  /** False while customers from before an upgrade are still being added. */
  async isComplete(projectId: string): Promise<boolean> {
    return (await this.database.forReading.query(fillOf, [projectId])).length === 0;
  }

  /** The first project after `after` with changed customers; null if there is none. */
  async nextChanged(after: string): Promise<string | null> {
    return (await this.database.query<{ projectId: string }>(nextChanged, [after]))[0]?.projectId ?? null;
  }

  /** The first project after `after` with customers from before an upgrade; null if there is none. */
  async nextFill(after: string): Promise<string | null> {
    return (await this.database.query<{ projectId: string }>(nextFill, [after]))[0]?.projectId ?? null;
  }

  /** Waits until no other transaction lists customers of the project. */
  async lock(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(lock, [projectId]);
  }

  /** Removes the oldest marks, at most `limit`, and returns their customers. The project must be locked. */
  async takeChanged(tx: Transaction, projectId: string, limit: number): Promise<string[]> {
    const rows = await tx.query<{ customerId: string }>(takeChanged, [projectId, limit]);
    return rows.map(({ customerId }) => customerId);
  }

  /** Computes the rows of customers. The project must be locked. */
  async list(tx: Transaction, projectId: string, customerIds: readonly string[]): Promise<void> {
    await tx.query(list, [projectId, customerIds]);
  }

  /** The customer after whom earlier ones are still to be listed; null if all are. */
  async findFill(tx: Transaction, projectId: string): Promise<string | null> {
    return (await tx.query<{ after: string }>(findFill, [projectId]))[0]?.after ?? null;
  }

  /** `after` null: no customer is left. */
  async continueFill(tx: Transaction, projectId: string, after: string | null): Promise<void> {
    if (after === null) await tx.query(endFill, [projectId]);
    else await tx.query(continueFill, [projectId, after]);
  }

  private async counted(
    reader: Reader,
    projectId: string,
    scope: ListScope,
    limit?: number,
  ): Promise<number> {
    const { text, values } = countStatement(scope, projectId, limit);
    await reader.query(plannerFor(usesTags(scope) ? 'off' : 'on'), []);
    const rows = await reader.query<{ count: number }>(planned(text, 'listed_customers.count'), values);
    return rows[0]?.count ?? 0;
  }
}

/** Tags are found by bitmaps of their index alone. */
export function usesTags({ selection, customerIds }: ListScope): boolean {
  return customerIds === null && (selection.tags.length > 0 || selection.anyOf.length > 0);
}

/** Whether anything but the sort column narrows the list. */
function isNarrow(selection: CustomerSelection, { sort }: CustomerOrder): boolean {
  const { tags, anyOf, status, firstSeen, lastSeen, spentAtLeastMicros } = selection;
  const hasSpan = (span: typeof firstSeen): boolean => span.from !== null || span.before !== null;
  return (
    tags.length > 0 ||
    anyOf.length > 0 ||
    status !== null ||
    (sort !== 'first_seen' && hasSpan(firstSeen)) ||
    (sort !== 'last_seen' && hasSpan(lastSeen)) ||
    (sort !== 'spent' && spentAtLeastMicros !== null)
  );
}
