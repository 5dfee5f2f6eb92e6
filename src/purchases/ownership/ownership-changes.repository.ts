import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';

/**
 * Why a purchase changed owner. The first ones are the project's transfer behaviors. `anonymous_owner`: the previous
 * owner was the same person before signing in. `sign_in`, `alias`: two customers were merged. `transfer_action`: a
 * backend requested it. `import`: the other system had one customer for both. `redemption`: a customer redeemed a link
 * to a purchase made on the web.
 */
export const ownershipRules = [
  'transfer',
  'transfer_if_no_active',
  'share',
  'anonymous_owner',
  'sign_in',
  'alias',
  'transfer_action',
  'import',
  'redemption',
] as const;

export type OwnershipRule = (typeof ownershipRules)[number];

export interface OwnershipChange {
  id: string;
  /** Subscription or one-time purchase. */
  purchaseId: string;
  fromCustomerId: string;
  /** The original app user id at that time; null if deleted since. */
  fromAppUserId: string | null;
  toCustomerId: string;
  toAppUserId: string | null;
  rule: OwnershipRule;
  /** Value in the posted receipt; null if there was none. */
  isRestore: boolean | null;
  requestId: string;
}

export interface OwnershipChangeRow extends OwnershipChange {
  occurredAt: Date;
}

const insert = statement(
  'ownership_changes.insert',
  `INSERT INTO ownership_changes (project_id, purchase_id, occurred_at, id, from_customer_id, from_app_user_id,
     to_customer_id, to_app_user_id, rule, is_restore, request_id)
   SELECT $1, r."purchaseId", $3, r.id, r."fromCustomerId", r."fromAppUserId", r."toCustomerId", r."toAppUserId",
     r.rule, r."isRestore", r."requestId"
   FROM json_to_recordset($2::json) AS r("purchaseId" text, id text, "fromCustomerId" text, "fromAppUserId" text,
     "toCustomerId" text, "toAppUserId" text, rule text, "isRestore" boolean, "requestId" text)`,
);

const columns = `id, purchase_id AS "purchaseId", occurred_at AS "occurredAt", from_customer_id AS "fromCustomerId",
  from_app_user_id AS "fromAppUserId", to_customer_id AS "toCustomerId", to_app_user_id AS "toAppUserId", rule,
  is_restore AS "isRestore", request_id AS "requestId"`;

const find = statement(
  'ownership_changes.find',
  `SELECT occurred_at AS "occurredAt" FROM ownership_changes WHERE project_id = $1 AND purchase_id = $2 AND id = $3`,
);

/** The history of owners. Each change writes to it, and only an erasure changes it. */
@Injectable()
export class OwnershipChangesRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(tx: Transaction, projectId: string, changes: OwnershipChange[], at: Date): Promise<void> {
    if (changes.length > 0) await tx.query(insert, [projectId, JSON.stringify(changes), at]);
  }

  page(
    projectId: string,
    purchaseId: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<OwnershipChangeRow[]> {
    const narrowing = new Narrowing('ownership_changes.page', [projectId, purchaseId, limit + 1]);
    const behind = narrowing.behind(['occurred_at', 'id'], after);
    const text = `SELECT ${columns} FROM ownership_changes WHERE project_id = $1 AND purchase_id = $2${behind}
      ORDER BY occurred_at DESC, id DESC LIMIT $3`;
    return this.database.query(narrowing.statement(text), narrowing.values);
  }

  /** The position of a change in the list, or null if it belongs to another purchase. */
  async placeOf(projectId: string, purchaseId: string, id: string): Promise<Place | null> {
    const [row] = await this.database.query<{ occurredAt: Date }>(find, [projectId, purchaseId, id]);
    return row ? [row.occurredAt, id] : null;
  }
}
