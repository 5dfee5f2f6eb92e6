import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountTables } from './foundation/accounts.sql.js';
import { catalogTables } from './foundation/catalog.sql.js';
import { customerTables } from './foundation/customers.sql.js';
import { purchaseTables } from './foundation/purchases.sql.js';
import { webhookTables } from './foundation/webhooks.sql.js';

/** The first schema. Tenant first in every key; forward only. */
export class Foundation1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [accountTables, catalogTables, customerTables, purchaseTables, webhookTables]) {
      await queryRunner.query(sql);
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
