import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Log of attempts, circuits of failing endpoints, secret rotation, replays, ordered delivery. */
export class WebhookLog1764260000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhook_integrations
        ADD COLUMN include_customer_info boolean NOT NULL DEFAULT false,
        ADD COLUMN ordered boolean NOT NULL DEFAULT false,
        ADD COLUMN sealed_previous_signing_secret text,
        ADD COLUMN previous_signing_secret_until timestamptz(3);

      -- customer_id and sequence are only set for ordered integrations: the index below stays empty otherwise.
      ALTER TABLE webhook_deliveries
        ADD COLUMN replay boolean NOT NULL DEFAULT false,
        ADD COLUMN customer_id text,
        ADD COLUMN sequence bigint,
        ADD COLUMN customer_info text;
      CREATE INDEX webhook_deliveries_by_id ON webhook_deliveries (project_id, id);
      CREATE INDEX webhook_deliveries_failed
        ON webhook_deliveries (project_id, webhook_integration_id, created_at DESC, id) WHERE status = 'failed';
      CREATE INDEX webhook_deliveries_in_order
        ON webhook_deliveries (project_id, customer_id, webhook_integration_id, sequence)
        WHERE status = 'pending' AND customer_id IS NOT NULL;

      -- Append-only; the time is in the key, to be partitioned by.
      CREATE TABLE webhook_attempts (
        project_id text NOT NULL,
        attempted_at timestamptz(3) NOT NULL,
        delivery_id text NOT NULL,
        attempt integer NOT NULL,
        url text NOT NULL,
        response_status integer,
        response_ms integer,
        error text,
        response_body text,
        response_headers json,
        PRIMARY KEY (project_id, attempted_at, delivery_id, attempt)
      );
      CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (project_id, delivery_id, attempt DESC);

      -- One row for each endpoint that fails; none for those that work.
      CREATE TABLE webhook_circuits (
        project_id text NOT NULL,
        webhook_integration_id text NOT NULL,
        failures integer NOT NULL,
        opened_at timestamptz(3),
        probe_at timestamptz(3),
        failed_probes integer NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, webhook_integration_id),
        CHECK ((opened_at IS NULL) = (probe_at IS NULL))
      ) WITH (fillfactor = 50)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
