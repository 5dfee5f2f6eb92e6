import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { Batcher } from '../../../platform/database/batcher.js';
import { epochMs } from '../../../platform/database/epoch-ms.js';
import { statement } from '../../../platform/database/statement.js';
import { hideFromPlanner } from '../../../platform/database/hide-from-planner.js';
import type { StoreUrls } from './management-url.js';

interface Key {
  projectId: string;
  appUserId: string;
}

/** The data for the hot read. `subscriber` is null if no answer is prepared for the current state. */
export interface SnapshotRow {
  customerId: string;
  lastSeenAtMs: number | null;
  /** See `CustomerRow`. */
  testClockMs: number | null;
  catalogVersion: number;
  subscriber: string | null;
  storeUrls: StoreUrls | null;
  etag: string | null;
}

export interface PreparedSnapshot {
  customerId: string;
  customerVersion: number;
  catalogVersion: number;
  /** Epoch ms at which the answer changes; null if only a change of the customer or the catalog affects it. */
  validUntilMs: number | null;
  /** JSON text of `subscriber` without `last_seen`. */
  subscriber: string;
  storeUrls: StoreUrls | null;
  etag: string;
}

/**
 * A prepared answer is valid only for its versions of the customer and the catalog, and until its own end at the
 * customer's time. LATERAL with LIMIT forces index lookups: with fresh statistics the planner prefers to hash whole
 * tables.
 */
const readMany = statement(
  'snapshots.read_many',
  `SELECT q.position - 1 AS position, c.id AS "customerId", c."lastSeenAtMs", c."testClockMs",
     p.catalog_version AS "catalogVersion", s.subscriber, s.store_urls AS "storeUrls", s.etag
   FROM unnest(${hideFromPlanner('$2::text[]')}) WITH ORDINALITY AS q(app_user_id, position)
   CROSS JOIN LATERAL (
     SELECT customer_id FROM customer_aliases
     WHERE project_id = $1 AND app_user_id = q.app_user_id LIMIT 1) a
   CROSS JOIN LATERAL (
     SELECT id, version, coalesce(test_clock_at, $3::timestamptz) AS now,
       ${epochMs('last_seen_at')} AS "lastSeenAtMs", ${epochMs('test_clock_at')} AS "testClockMs"
     FROM customers
     WHERE project_id = $1 AND id = a.customer_id LIMIT 1) c
   CROSS JOIN LATERAL (SELECT catalog_version FROM projects WHERE id = $1 LIMIT 1) p
   LEFT JOIN LATERAL (
     SELECT subscriber, store_urls, etag FROM customer_snapshots
     WHERE project_id = $1 AND customer_id = c.id
       AND customer_version = c.version AND catalog_version = p.catalog_version
       AND (valid_until IS NULL OR valid_until > c.now) LIMIT 1) s ON true`,
);

const anyAlias = statement(
  'snapshots.any_alias',
  `SELECT app_user_id AS "appUserId" FROM customer_aliases WHERE project_id = $1 AND customer_id = $2
   ORDER BY app_user_id LIMIT 1`,
);

/** Writes nothing for a customer changed or deleted in the meantime: no data of a deleted customer may remain. */
const write = statement(
  'snapshots.write',
  `INSERT INTO customer_snapshots AS s
     (project_id, customer_id, customer_version, catalog_version, subscriber, etag, store_urls, valid_until)
   SELECT project_id, id, version, $4, $5, $6, $7, $8 FROM customers
   WHERE project_id = $1 AND id = $2 AND version = $3::bigint FOR KEY SHARE
   ON CONFLICT (project_id, customer_id) DO UPDATE SET customer_version = excluded.customer_version,
     catalog_version = excluded.catalog_version, subscriber = excluded.subscriber, etag = excluded.etag,
     store_urls = excluded.store_urls, valid_until = excluded.valid_until
   WHERE s.customer_version <= excluded.customer_version AND s.catalog_version <= excluded.catalog_version`,
);

@Injectable()
export class SnapshotsRepository {
  private readonly reads: Batcher<Key, SnapshotRow | null>;

  constructor(
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.reads = new Batcher((keys, since) => this.readMany(keys, since), {
      maxRunning: 2,
      maxItems: 64,
      groupOf: ({ projectId }) => projectId,
    });
  }

  /** Null if no customer has this id. */
  read(projectId: string, appUserId: string): Promise<SnapshotRow | null> {
    return this.reads.submit({ projectId, appUserId });
  }

  /** One of the customer's ids; null if the customer was deleted. */
  async anyAlias(projectId: string, customerId: string): Promise<string | null> {
    const rows = await this.database.query<{ appUserId: string }>(anyAlias, [projectId, customerId]);
    return rows[0]?.appUserId ?? null;
  }

  /** Stores a prepared answer unless a newer one exists. */
  async write(projectId: string, snapshot: PreparedSnapshot): Promise<void> {
    const { customerId, customerVersion, catalogVersion, validUntilMs, subscriber, storeUrls, etag } =
      snapshot;
    await this.database.query(write, [
      projectId,
      customerId,
      customerVersion,
      catalogVersion,
      subscriber,
      etag,
      storeUrls,
      validUntilMs === null ? null : new Date(validUntilMs),
    ]);
  }

  private async readMany(keys: Key[], since: number): Promise<(SnapshotRow | null)[]> {
    const [{ projectId }] = keys as [Key];
    const rows = await this.database.query<SnapshotRow & { position: number }>(
      readMany,
      [projectId, keys.map(({ appUserId }) => appUserId), new Date(this.clock.nowMs())],
      since,
    );
    const found = new Array<SnapshotRow | null>(keys.length).fill(null);
    for (const row of rows) found[row.position] = row;
    return found;
  }
}
