import { Inject, Injectable } from '@nestjs/common';
import { Database, type Executor, type Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';

/**
 * Why a purchase changed hands: a value of the project's transfer behaviour; `anonymous_owner`, whoever had it was
 * the same person before signing in; `sign_in` and `alias`, two customers became one; `transfer_action`, a backend
 * asked for it.
 */
export const ownershipRules = [
  'transfer',
  'transfer_if_no_active',
  'share',
  'anonymous_owner',
  'sign_in',
  'alias',
  'transfer_action',
] as const;

export type OwnershipRule = (typeof ownershipRules)[number];

/** One purchase going from one customer to another. */
export interface OwnershipChange {
  id: string;
  /** Subscription or one-time purchase. */
  purchaseId: string;
  fromCustomerId: string;
  /** As the customer was known then; null when deleted since. */
  fromAppUserId: string | null;
  toCustomerId: string;
  toAppUserId: string | null;
  rule: OwnershipRule;
  /** What the posted receipt said; null when there was none. */
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

const page = statement(
  'ownership_changes.page',
  `SELECT id, purchase_id AS "purchaseId", occurred_at AS "occurredAt", from_customer_id AS "fromCustomerId",
     from_app_user_id AS "fromAppUserId", to_customer_id AS "toCustomerId", to_app_user_id AS "toAppUserId", rule,
     is_restore AS "isRestore", request_id AS "requestId"
   FROM ownership_changes
   WHERE project_id = $1 AND purchase_id = $2
     AND ($3::text IS NULL OR (occurred_at, id) < (
       SELECT c.occurred_at, c.id FROM ownership_changes c
       WHERE c.project_id = $1 AND c.purchase_id = $2 AND c.id = $3))
   ORDER BY occurred_at DESC, id DESC LIMIT $4`,
);

const exists = statement(
  'ownership_changes.exists',
  `SELECT 1 FROM ownership_changes WHERE project_id = $1 AND purchase_id = $2 AND id = $3`,
);

const hasPurchase = {
  subscription: statement(
    'ownership_changes.has_subscription',
    `SELECT 1 FROM subscriptions WHERE project_id = $1 AND id = $2`,
  ),
  purchase: statement(
    'ownership_changes.has_one_time',
    `SELECT 1 FROM one_time_purchases WHERE project_id = $1 AND id = $2`,
  ),
};

/** Records of purchases that changed hands: written with the change, never changed but by an erasure. */
@Injectable()
export class OwnershipChangesRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  async insert(tx: Transaction, projectId: string, changes: OwnershipChange[], at: Date): Promise<void> {
    if (changes.length > 0) await tx.query(insert, [projectId, JSON.stringify(changes), at]);
  }

  /** One more than a page, newest first. */
  page(projectId: string, purchaseId: string, { after, limit }: PageRequest): Promise<OwnershipChangeRow[]> {
    return this.database.query(page, [projectId, purchaseId, after, limit + 1]);
  }

  async exists(projectId: string, purchaseId: string, id: string): Promise<boolean> {
    return this.any(this.database, exists, [projectId, purchaseId, id]);
  }

  async hasPurchase(projectId: string, kind: keyof typeof hasPurchase, id: string): Promise<boolean> {
    return this.any(this.database, hasPurchase[kind], [projectId, id]);
  }

  private async any(executor: Executor, command: typeof exists, values: unknown[]): Promise<boolean> {
    return (await executor.query(command, values)).length > 0;
  }
}
