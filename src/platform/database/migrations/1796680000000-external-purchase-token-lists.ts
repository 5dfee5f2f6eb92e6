import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of tokens of purchases outside a store, newest first. */
export class ExternalPurchaseTokenLists1796680000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX external_purchase_tokens_by_time ON external_purchase_tokens (project_id, created_at, id)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
