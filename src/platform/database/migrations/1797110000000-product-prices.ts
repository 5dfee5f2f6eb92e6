import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prices of Test Store products in several currencies. `products` still has the default price: an older server reads
 * and writes only that one.
 */
export class ProductPrices1797110000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE product_prices (
         project_id text NOT NULL,
         product_id text NOT NULL,
         currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
         micros bigint NOT NULL CHECK (micros >= 0),
         created_at timestamptz(3) NOT NULL,
         updated_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, product_id, currency),
         FOREIGN KEY (project_id, product_id) REFERENCES products (project_id, id) ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      `INSERT INTO product_prices (project_id, product_id, currency, micros, created_at, updated_at)
       SELECT project_id, id, test_store_price_currency, test_store_price_micros, created_at, created_at
       FROM products WHERE test_store_price_micros IS NOT NULL`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
