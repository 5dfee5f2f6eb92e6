import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the kept answers that name a customer. */
export class AnswersByCustomer1764500000091 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS idempotency_keys_by_customer
        ON idempotency_keys (tenant_id, app_user_id) WHERE app_user_id IS NOT NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
