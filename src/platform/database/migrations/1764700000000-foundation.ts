import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createMonths } from '../schema/monthly-partitions.js';
import { catalogTables } from './foundation/catalog.sql.js';
import { customersTables } from './foundation/customers.sql.js';
import { insightsTables } from './foundation/insights.sql.js';
import { purchasesTables } from './foundation/purchases.sql.js';
import { storesTables } from './foundation/stores.sql.js';
import { webhooksTables } from './foundation/webhooks.sql.js';
import { workspaceTables } from './foundation/workspace.sql.js';

/** Tables partitioned by month and their fill factor (percent): updated rows find room on their page. */
const months = {
  audit_logs: 100,
  events: 100,
  store_notifications: 80,
  store_transactions: 100,
  webhook_attempts: 100,
  webhook_deliveries: 70,
};

/** The whole schema of version 0.1.0. */
export class Foundation1764700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(workspaceTables);
    await queryRunner.query(catalogTables);
    await queryRunner.query(customersTables);
    await queryRunner.query(purchasesTables);
    await queryRunner.query(webhooksTables);
    await queryRunner.query(storesTables);
    await queryRunner.query(insightsTables);
    await queryRunner.query(`INSERT INTO exchange_rate_feeds VALUES ('http', '-infinity')`);
    for (const [table, fillfactor] of Object.entries(months)) {
      await createMonths(queryRunner, table, fillfactor);
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
