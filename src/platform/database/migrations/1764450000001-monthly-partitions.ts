import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type MonthlyTable, partitionByMonth } from '../monthly-partitions.js';

const tables: MonthlyTable[] = [
  {
    name: 'webhook_deliveries',
    column: 'created_at',
    fillfactor: 70,
    keys: `
      ALTER TABLE webhook_deliveries ADD PRIMARY KEY (project_id, created_at, id);
      CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (project_id, webhook_integration_id, next_attempt_at)
        WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_by_integration
        ON webhook_deliveries (project_id, webhook_integration_id, created_at DESC, id);
      CREATE INDEX webhook_deliveries_by_id ON webhook_deliveries (project_id, id);
      CREATE INDEX webhook_deliveries_failed
        ON webhook_deliveries (project_id, webhook_integration_id, created_at DESC, id) WHERE status = 'failed';
      CREATE INDEX webhook_deliveries_in_order
        ON webhook_deliveries (project_id, customer_id, webhook_integration_id, sequence)
        WHERE status = 'pending' AND customer_id IS NOT NULL;
      CREATE INDEX webhook_deliveries_replayed ON webhook_deliveries (project_id, event_id) WHERE replay;`,
  },
  {
    name: 'webhook_attempts',
    column: 'attempted_at',
    fillfactor: 100,
    keys: `
      ALTER TABLE webhook_attempts ADD PRIMARY KEY (project_id, attempted_at, delivery_id, attempt);
      CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (project_id, delivery_id, attempt DESC);`,
  },
  {
    name: 'audit_logs',
    column: 'occurred_at',
    fillfactor: 100,
    keys: `
      ALTER TABLE audit_logs ADD PRIMARY KEY (project_id, occurred_at, id);
      ALTER TABLE audit_logs ADD FOREIGN KEY (project_id) REFERENCES projects (id);
      CREATE INDEX audit_logs_by_id ON audit_logs (project_id, id);`,
  },
];

/** Webhook deliveries, their attempts and the audit log by month. */
export class MonthlyPartitions1764450000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) await partitionByMonth(queryRunner, table);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
