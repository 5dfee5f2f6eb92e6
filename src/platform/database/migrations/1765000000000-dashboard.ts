import type { MigrationInterface, QueryRunner } from 'typeorm';
import { auditLogIndexes } from './dashboard/audit-logs.sql.js';
import { testClockColumns } from './dashboard/test-clocks.sql.js';
import { webhookReplayTables } from './dashboard/webhook-replays.sql.js';

/** Version 0.3.0: what the dashboard reads. A server of 0.2.0 still runs on it. */
export class Dashboard1765000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(auditLogIndexes);
    await queryRunner.query(testClockColumns);
    await queryRunner.query(webhookReplayTables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
