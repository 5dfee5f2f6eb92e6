import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a lot held at first, and how much of that refunds have taken back. */
export class CurrencyRefunds1764410000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE virtual_currency_lots
        ADD COLUMN granted bigint,
        ADD COLUMN taken_back bigint NOT NULL DEFAULT 0 CHECK (taken_back >= 0);

      UPDATE virtual_currency_lots l SET granted = t.amount FROM virtual_currency_transactions t
      WHERE t.project_id = l.project_id AND t.customer_id = l.customer_id AND t.id = l.id AND t.code = l.code
        AND t.kind = 'product_grant'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
