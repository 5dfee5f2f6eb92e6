import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { Author } from '../../platform/principal/author.js';

export type BlockedBy = Author;

export interface BlockedCustomerRow {
  appUserId: string;
  note: string | null;
  blockedAt: Date;
  byType: BlockedBy['type'];
  byId: string;
  byEmail: string | null;
  customerExists: boolean;
}

export function placeOfBlock({ blockedAt, appUserId }: BlockedCustomerRow): Place {
  return [blockedAt, appUserId];
}

const entries = `
  SELECT b.app_user_id AS "appUserId", b.note, b.blocked_at AS "blockedAt", b.blocked_by_type AS "byType",
    b.blocked_by_id AS "byId", b.blocked_by_email AS "byEmail", a.customer_id IS NOT NULL AS "customerExists"
  FROM blocked_customers b LEFT JOIN LATERAL (
    SELECT a.customer_id FROM customer_aliases a
    WHERE a.project_id = $1 AND a.app_user_id = b.app_user_id LIMIT 1) a ON true
  WHERE b.project_id = $1`;

/** Blocking the same id again only replaces the note. `xmax` distinguishes an updated row from an inserted one. */
const block = statement(
  'blocked_customers.block',
  `INSERT INTO blocked_customers AS b (project_id, app_user_id, note, blocked_at, blocked_by_type, blocked_by_id,
     blocked_by_email)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (project_id, app_user_id) DO UPDATE SET note = excluded.note
   RETURNING (b.xmax = 0) AS "isNew"`,
);

const unblock = statement(
  'blocked_customers.unblock',
  `DELETE FROM blocked_customers WHERE project_id = $1 AND app_user_id = $2 RETURNING 1`,
);

const find = statement('blocked_customers.find', `${entries} AND b.app_user_id = $2`);

const firstPage = statement(
  'blocked_customers.first_page',
  `${entries} ORDER BY b.blocked_at DESC, b.app_user_id DESC LIMIT $2`,
);

const nextPage = statement(
  'blocked_customers.next_page',
  `${entries} AND (b.blocked_at, b.app_user_id) < ($3, $4)
   ORDER BY b.blocked_at DESC, b.app_user_id DESC LIMIT $2`,
);

@Injectable()
export class BlockedCustomersRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns true if the id was not blocked before. */
  async block(
    tx: Transaction,
    projectId: string,
    { appUserId, note, now, by }: { appUserId: string; note: string | null; now: Date; by: BlockedBy },
  ): Promise<boolean> {
    const values = [projectId, appUserId, note, now, by.type, by.id, by.email];
    return (await tx.query<{ isNew: boolean }>(block, values))[0]?.isNew ?? false;
  }

  /** Returns false if the id is not blocked. */
  async unblock(tx: Transaction, projectId: string, appUserId: string): Promise<boolean> {
    return (await tx.query(unblock, [projectId, appUserId])).length > 0;
  }

  async find(
    projectId: string,
    appUserId: string,
    executor: Executor = this.database,
  ): Promise<BlockedCustomerRow | null> {
    return (await executor.query<BlockedCustomerRow>(find, [projectId, appUserId]))[0] ?? null;
  }

  page(projectId: string, { limit }: PageRequest, after: Place | null): Promise<BlockedCustomerRow[]> {
    return after === null
      ? this.database.query(firstPage, [projectId, limit + 1])
      : this.database.query(nextPage, [projectId, limit + 1, ...after]);
  }
}
