import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import { cleanUp, deletionOf } from '../../platform/jobs/batches.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';

/** A period lasts up to a year; its billing retries, refunds and disputes follow within the next one. */
const KEPT_MS = 2 * 365 * 86_400_000;

const record = statement(
  'erased_purchases.record',
  `INSERT INTO erased_purchases (project_id, key_hash, erased_at)
   SELECT DISTINCT owned.project_id, sha256(convert_to(owned.environment || ' ' || owned.key, 'UTF8')), $3::timestamptz
   FROM (
     SELECT s.project_id, s.environment, k.key FROM subscriptions s CROSS JOIN LATERAL (
       SELECT s.store_key AS key UNION ALL SELECT json_object_keys(s.facts -> 'continuations')) k
     WHERE s.project_id = $1 AND s.customer_id = $2 AND s.store NOT IN ('promotional', 'test_store')
     UNION ALL
     SELECT o.project_id, o.environment, o.purchase_key FROM one_time_purchases o
     WHERE o.project_id = $1 AND o.customer_id = $2 AND o.store <> 'test_store'
   ) owned
   ON CONFLICT (project_id, key_hash) DO UPDATE SET erased_at = excluded.erased_at`,
);

const find = statement(
  'erased_purchases.find',
  `SELECT key_hash AS "keyHash", erased_at AS "erasedAt" FROM erased_purchases
   WHERE project_id = $1 AND key_hash = ANY ($2::bytea[])`,
);

const deleteOld = deletionOf('erased_purchases.delete_old', {
  table: 'erased_purchases',
  key: ['project_id', 'key_hash'],
  isOld: (row) => `${row}.erased_at <= $1`,
  orderBy: 'erased_at',
});

@Injectable()
export class ErasedPurchasesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Stores hashes of the store keys of a customer's purchases. Call before the purchases are deleted. */
  async record(tx: Transaction, projectId: string, customerId: string, erasedAt: Date): Promise<void> {
    await tx.query(record, [projectId, customerId, erasedAt]);
  }

  /** When the purchases with these keys were erased (epoch ms), by key. */
  async eraseTimes(
    executor: Executor,
    projectId: string,
    environment: Environment,
    keys: string[],
  ): Promise<Map<string, number>> {
    const hashes = new Map(keys.map((key) => [hashOf(environment, key).toString('hex'), key]));
    const rows = await executor.query<{ keyHash: Buffer; erasedAt: Date }>(find, [
      projectId,
      [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex')),
    ]);
    return new Map(
      rows.map(({ keyHash, erasedAt }) => [hashes.get(keyHash.toString('hex')) ?? '', erasedAt.getTime()]),
    );
  }

  @Cleanup('erased_purchases_retention', KEPT_MS)
  deleteOld(until: Date): Promise<number> {
    return cleanUp(this.database, deleteOld, [until]);
  }
}

function hashOf(environment: Environment, key: string): Buffer {
  return createHash('sha256').update(`${environment} ${key}`).digest();
}
