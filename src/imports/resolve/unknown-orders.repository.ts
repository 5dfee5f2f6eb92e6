import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import { MISS_MS } from './unkeyed-subscriptions.repository.js';

interface Order {
  appId: string;
  id: string;
}

const remembered = statement(
  'unknown_orders.remembered',
  `SELECT app_id AS "appId", order_id AS id FROM import_order_misses
   WHERE project_id = $1 AND app_id = ANY($2::text[]) AND order_id = ANY($3::text[]) AND ask_again_at > $4`,
);

const forget = statement(
  'unknown_orders.forget',
  `DELETE FROM import_order_misses WHERE project_id = $1 AND app_id = ANY($2::text[]) AND ask_again_at <= $3`,
);

const remember = statement(
  'unknown_orders.remember',
  `INSERT INTO import_order_misses (project_id, app_id, order_id, ask_again_at)
   SELECT a.project_id, a.app_id, o.id, $4 FROM unnest($2::text[], $3::text[]) AS o(app_id, id)
   JOIN project_anchors a ON a.project_id = $1 AND a.app_id = o.app_id
   ORDER BY a.app_id, o.id
   ON CONFLICT (project_id, app_id, order_id) DO UPDATE SET ask_again_at = excluded.ask_again_at`,
);

/** Orders that a store need not be asked about for a week, including those of purchases that were never recorded. */
@Injectable()
export class UnknownOrdersRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns those of the given orders that are stored. */
  async remembered<One extends Order>(projectId: string, orders: One[], nowMs: number): Promise<One[]> {
    if (orders.length === 0) return [];
    const appIds = [...new Set(orders.map(({ appId }) => appId))];
    const ids = orders.map(({ id }) => id);
    const rows = await this.database.query<Order>(remembered, [projectId, appIds, ids, new Date(nowMs)]);
    const known = new Set(rows.map(({ appId, id }) => `${appId} ${id}`));
    return orders.filter(({ appId, id }) => known.has(`${appId} ${id}`));
  }

  async remember(projectId: string, orders: readonly Order[], nowMs: number): Promise<void> {
    const unique = [...new Map(orders.map((order) => [`${order.appId} ${order.id}`, order])).values()];
    if (unique.length === 0) return;
    const appIds = unique.map(({ appId }) => appId);
    const ids = unique.map(({ id }) => id);
    await this.database.query(forget, [projectId, appIds, new Date(nowMs)]);
    await this.database.query(remember, [projectId, appIds, ids, new Date(nowMs + MISS_MS)]);
  }
}
