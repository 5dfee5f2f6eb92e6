import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createMonths } from '../schema/monthly-partitions.js';
import { scimTables, ssoTables } from './enterprise/identity.sql.js';
import { organizationTables, roleTables } from './enterprise/organizations.sql.js';

/** Every table of the enterprise edition. They stay empty without it; an older server still runs on the schema. */
export class Enterprise1767000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(organizationTables);
    await createMonths(queryRunner, 'organization_audit_logs', 100);
    await queryRunner.query(roleTables);
    await queryRunner.query(ssoTables);
    await queryRunner.query(scimTables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
