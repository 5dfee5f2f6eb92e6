import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests that may come twice, and counters of requests by tenant. The tenant is a project, or the person who
 * makes one; counters of requests of nobody yet have an empty one.
 */
export class IdempotencyAndRateLimits1764220000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        tenant_id text NOT NULL,
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        claim_id text NOT NULL,
        lease_until timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        -- The transaction that carried the request out.
        carried_out_in xid8,
        status smallint,
        sealed_body text,
        PRIMARY KEY (tenant_id, key)
      );
      -- For the job that deletes what has expired.
      CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
      ALTER TABLE rate_limits
        ADD COLUMN tenant_id text NOT NULL DEFAULT '',
        DROP CONSTRAINT rate_limits_pkey,
        ADD PRIMARY KEY (tenant_id, bucket)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
