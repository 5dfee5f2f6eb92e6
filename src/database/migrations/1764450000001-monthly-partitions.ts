import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Months that get a partition right away; later ones are made by the server. */
const MONTHS = 3;

interface Table {
  name: string;
  column: string;
  /** Of each partition: rows that are changed find room on their page. */
  fillfactor: number;
  /** Keys, indexes and foreign keys. */
  keys: string;
}

const tables: Table[] = [
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

/** Gives the names of the table's keys and indexes free. The foreign key keeps its own: it is of one table only. */
const renameIndexes = ({ name }: Table): string => `
  DO $$
  DECLARE index_name text;
  BEGIN
    FOR index_name IN SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
      WHERE x.indrelid = '${name}_first'::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', index_name, index_name || '_first');
    END LOOP;
  END $$`;

/** The bound that the migration before this one has made sure of, and the months from there on. */
const bounds = ({ name }: Table): string => `
  SELECT to_char(bound AT TIME ZONE 'UTC', 'YYYY_MM') AS month, bound::text AS "from",
    ((bound AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC')::text AS "to"
  FROM (
    SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''')::timestamptz AS first FROM pg_constraint
    WHERE conrelid = '${name}'::regclass AND conname = '${name}_first_months') f
  CROSS JOIN LATERAL generate_series(0, ${MONTHS - 1}) AS month
  CROSS JOIN LATERAL (SELECT (first AT TIME ZONE 'UTC' + month * interval '1 month') AT TIME ZONE 'UTC' AS bound) b
  ORDER BY bound`;

/**
 * Webhook deliveries, their attempts and the audit log by month. The table as it was becomes the first partition,
 * with its indexes: nothing is copied, nothing is read. Rows of months that have no partition go to the default
 * one, so that no insert ever fails.
 */
export class MonthlyPartitions1764450000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) await this.partition(queryRunner, table);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }

  private async partition(queryRunner: QueryRunner, table: Table): Promise<void> {
    const { name, column, fillfactor, keys } = table;
    const months = await queryRunner.manager.query<{ month: string; from: string; to: string }[]>(
      bounds(table),
    );
    const [next] = months;
    if (!next) throw new Error(`${name} has no bound for its first partition`);
    await queryRunner.query(`
      ALTER TABLE ${name} RENAME TO ${name}_first;
      ${renameIndexes(table)};
      CREATE TABLE ${name} (LIKE ${name}_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
        PARTITION BY RANGE (${column});
      ALTER TABLE ${name} DROP CONSTRAINT ${name}_first_months;
      ${keys}
      ALTER TABLE ${name} ATTACH PARTITION ${name}_first FOR VALUES FROM (MINVALUE) TO ('${next.from}');
      ALTER TABLE ${name}_first DROP CONSTRAINT ${name}_first_months;
      CREATE TABLE ${name}_default PARTITION OF ${name} DEFAULT WITH (fillfactor = ${fillfactor})`);
    for (const { month, from, to } of months) {
      await queryRunner.query(`
        CREATE TABLE ${name}_${month} PARTITION OF ${name} FOR VALUES FROM ('${from}') TO ('${to}')
          WITH (fillfactor = ${fillfactor})`);
    }
  }
}
