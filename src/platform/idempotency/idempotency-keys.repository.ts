import { Injectable } from '@nestjs/common';
import { DatabaseService, type Executor, type Transaction } from '../database/database.service.js';
import { statement } from '../database/statement.js';
import type { IdempotencyClaim } from '../http/pipeline/request.js';
import { leaseEnd } from '../jobs/leases.sql.js';
import { cleanUp, deletionOf } from '../jobs/batches.js';
import { Cleanup } from '../jobs/cleanup.js';

export interface AskedRequest {
  fingerprint: Buffer;
  /** Ids of the customers it concerns, as far as known. */
  appUserIds: readonly string[];
}

export interface KnownRequest {
  fingerprint: Buffer;
  /** The lease is still valid by the database's clock. */
  isHeld: boolean;
  carriedOut: boolean;
  /** Null until there is a response. */
  status: number | null;
  sealedBody: string | null;
}

/*
 * A row can be claimed if it has expired or its process died before changing anything. Citus does not run the database's
 * clock in this condition, so the lease's end is compared with that of the new row, which is a lease away from now.
 */
const claim = statement(
  'idempotency_keys.claim',
  `INSERT INTO idempotency_keys AS k (tenant_id, key, claim_id, fingerprint, lease_until, expires_at, app_user_id,
     other_app_user_ids)
   VALUES ($1, $2, $3, $4, ${leaseEnd('$7', '$5')}, $6, $8, $9)
   ON CONFLICT (tenant_id, key) DO UPDATE
     SET claim_id = excluded.claim_id, fingerprint = excluded.fingerprint, lease_until = excluded.lease_until,
         expires_at = excluded.expires_at, app_user_id = excluded.app_user_id,
         other_app_user_ids = excluded.other_app_user_ids, carried_out_in = NULL, status = NULL, sealed_body = NULL
     WHERE k.expires_at <= $7
       OR (k.fingerprint = excluded.fingerprint AND k.status IS NULL
         AND excluded.lease_until - k.lease_until >= $5::timestamptz - $7::timestamptz
         AND k.carried_out_in IS NULL)
   RETURNING k.claim_id`,
);

const find = statement(
  'idempotency_keys.find',
  `SELECT fingerprint, lease_until > statement_timestamp() AS "isHeld", carried_out_in IS NOT NULL AS "carriedOut", status,
     sealed_body AS "sealedBody"
   FROM idempotency_keys WHERE tenant_id = $1 AND key = $2`,
);

/* The same transaction may run this more than once, but another transaction would repeat the work. */
const carryOut = statement(
  'idempotency_keys.carry_out',
  `UPDATE idempotency_keys SET carried_out_in = pg_current_xact_id()
   WHERE tenant_id = $1 AND key = $2 AND claim_id = $3
     AND (carried_out_in IS NULL OR carried_out_in = pg_current_xact_id())
   RETURNING key`,
);

const answer = statement(
  'idempotency_keys.answer',
  `UPDATE idempotency_keys SET status = $4, sealed_body = $5, app_user_id = $6, other_app_user_ids = $7
   WHERE tenant_id = $1 AND key = $2 AND claim_id = $3`,
);

/*
 * Skips requests in flight that have not changed anything yet: they will not find the customer. Ids sort by bytes among
 * the aliases, which is the order of these indexes.
 */
const forgetCustomer = statement(
  'idempotency_keys.forget_customer',
  `WITH names AS (
     SELECT array_agg(app_user_id COLLATE "default") AS all_of_them FROM customer_aliases WHERE project_id = $1 AND customer_id = $2
   )
   DELETE FROM idempotency_keys
   WHERE tenant_id = $1 AND (status IS NOT NULL OR carried_out_in IS NOT NULL) AND (
     app_user_id = ANY ((SELECT all_of_them FROM names)::text[])
     OR (other_app_user_ids IS NOT NULL AND other_app_user_ids && (SELECT all_of_them FROM names)))`,
);

/* Keys of customers start with the customer's id. */
const moveCustomer = statement(
  'idempotency_keys.move_customer',
  `WITH names AS (
     SELECT array_agg(app_user_id COLLATE "default") AS all_of_them, statement_timestamp() AS now
     FROM customer_aliases WHERE project_id = $1 AND customer_id = $2
   )
   UPDATE idempotency_keys k SET key = moved.key, status = NULL, sealed_body = NULL,
     lease_until = CASE WHEN k.carried_out_in IS NULL THEN k.lease_until ELSE names.now END
   FROM names, (SELECT o.key AS old_key, $3 || substr(o.key, length($2) + 1) AS key FROM idempotency_keys o
     WHERE o.tenant_id = $1 AND o.app_user_id = ANY ((SELECT all_of_them FROM names)::text[])
       AND starts_with(o.key, $2 || ' ')) AS moved
   WHERE k.tenant_id = $1 AND k.key = moved.old_key AND NOT EXISTS (
     SELECT FROM idempotency_keys t WHERE t.tenant_id = $1 AND t.key = moved.key)`,
);

const release = statement(
  'idempotency_keys.release',
  `WITH unused AS (
     DELETE FROM idempotency_keys
     WHERE tenant_id = $1 AND key = $2 AND claim_id = $3 AND carried_out_in IS NULL
   )
   UPDATE idempotency_keys SET lease_until = statement_timestamp()
   WHERE tenant_id = $1 AND key = $2 AND claim_id = $3 AND carried_out_in IS NOT NULL`,
);

const deleteExpired = deletionOf('idempotency_keys.delete_expired', {
  table: 'idempotency_keys',
  key: ['tenant_id', 'key'],
  isOld: (row) => `${row}.expires_at <= $1`,
  orderBy: 'expires_at',
});

function columnsOf(appUserIds: readonly string[]): [string | null, string[] | null] {
  const [first = null, ...others] = new Set(appUserIds);
  return [first, others.length === 0 ? null : others];
}

@Injectable()
export class IdempotencyKeysRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns false if the key is in use. */
  async claim(
    { tenantId, key, claimId }: IdempotencyClaim,
    { fingerprint, appUserIds }: AskedRequest,
    times: { now: Date; leaseUntil: Date; expiresAt: Date },
  ): Promise<boolean> {
    const { now, leaseUntil, expiresAt } = times;
    const customers = columnsOf(appUserIds);
    const values = [tenantId, key, claimId, fingerprint, leaseUntil, expiresAt, now, ...customers];
    return (await this.database.query(claim, values)).length > 0;
  }

  async find(tenantId: string, key: string): Promise<KnownRequest | null> {
    return (await this.database.query<KnownRequest>(find, [tenantId, key]))[0] ?? null;
  }

  /** Returns false if the claim is lost or another transaction executed the request. */
  async carryOut(tx: Transaction, { tenantId, key, claimId }: IdempotencyClaim): Promise<boolean> {
    return (await tx.query(carryOut, [tenantId, key, claimId])).length > 0;
  }

  async answer(
    { tenantId, key, claimId }: IdempotencyClaim,
    { status, sealedBody, appUserIds }: { status: number; sealedBody: string; appUserIds: readonly string[] },
    executor: Executor = this.database,
  ): Promise<void> {
    const customers = columnsOf(appUserIds);
    await executor.query(answer, [tenantId, key, claimId, status, sealedBody, ...customers]);
  }

  async moveCustomer(tx: Transaction, tenantId: string, sourceId: string, targetId: string): Promise<void> {
    await tx.query(moveCustomer, [tenantId, sourceId, targetId]);
  }

  async forgetCustomer(tx: Transaction, tenantId: string, customerId: string): Promise<void> {
    await tx.query(forgetCustomer, [tenantId, customerId]);
  }

  /** Frees the key, or ends the lease if the request was executed. */
  async release({ tenantId, key, claimId }: IdempotencyClaim): Promise<void> {
    await this.database.query(release, [tenantId, key, claimId]);
  }

  @Cleanup('idempotency_cleanup')
  deleteExpired(now: Date): Promise<number> {
    return cleanUp(this.database, deleteExpired, [now]);
  }
}
