import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Daily figures of purchases, the days customers were seen on, and fetched exchange rates. */
export class Metrics1764200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Purchases whose figures are not rolled up yet: one row with each change, in its transaction.
      CREATE TABLE metric_changes (
        project_id text NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        purchase_id text NOT NULL,
        changed_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, id)
      );

      -- Whoever holds the row rolls up the project.
      CREATE TABLE metric_projects (
        project_id text PRIMARY KEY
      );

      -- What each billing period or one-time purchase counts for: while it gives access, and once when it was bought.
      CREATE TABLE metric_periods (
        project_id text NOT NULL,
        purchase_id text NOT NULL,
        period_key text NOT NULL,
        environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
        app_id text NOT NULL,
        store_product_id text NOT NULL,
        length_units integer NOT NULL,
        starts_at timestamptz(3) NOT NULL,
        ends_at timestamptz(3),
        trials integer NOT NULL,
        subscriptions integer NOT NULL,
        price_micros bigint NOT NULL,
        revenue_micros bigint NOT NULL,
        transactions integer NOT NULL,
        PRIMARY KEY (project_id, purchase_id, period_key)
      );
      CREATE INDEX metric_periods_by_start ON metric_periods (project_id, environment, starts_at);
      CREATE INDEX metric_periods_by_end ON metric_periods (project_id, environment, ends_at)
        WHERE ends_at IS NOT NULL;

      -- metric_periods summed by UTC day. Trials, subscriptions and prices are changes: begun minus ended that day.
      CREATE TABLE metric_days (
        project_id text NOT NULL,
        environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
        day date NOT NULL,
        app_id text NOT NULL,
        store_product_id text NOT NULL,
        length_units integer NOT NULL,
        trials integer NOT NULL,
        subscriptions integer NOT NULL,
        price_micros bigint NOT NULL,
        revenue_micros bigint NOT NULL,
        transactions integer NOT NULL,
        PRIMARY KEY (project_id, environment, day, app_id, store_product_id, length_units)
      ) WITH (fillfactor = 80);

      -- The UTC days that customers were seen on.
      CREATE TABLE customer_days (
        project_id text NOT NULL,
        customer_id text NOT NULL,
        day date NOT NULL,
        PRIMARY KEY (project_id, customer_id, day),
        FOREIGN KEY (project_id, customer_id) REFERENCES customers (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX customer_days_by_day ON customer_days (project_id, day, customer_id);
      CREATE INDEX customers_by_first_seen ON customers (project_id, first_seen_at);

      -- Units of each currency per USD by day, as the provider answered. A day is never changed afterwards.
      CREATE TABLE exchange_rates (
        day date PRIMARY KEY,
        source text NOT NULL,
        rates json NOT NULL,
        fetched_at timestamptz(3) NOT NULL
      );
      CREATE TABLE exchange_rate_feeds (
        source text PRIMARY KEY,
        next_fetch_at timestamptz(3) NOT NULL
      );
      INSERT INTO exchange_rate_feeds VALUES ('http', '-infinity');

      -- Deletions mark their purchases too, whatever route they come by.
      CREATE FUNCTION mark_deleted_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Of a project that is removed as a whole nothing is counted any more.
        INSERT INTO metric_changes (project_id, purchase_id, changed_at)
        SELECT d.project_id, d.id, now() FROM deleted d JOIN projects p ON p.id = d.project_id
        WHERE p.deleted_at IS NULL;
        RETURN NULL;
      END $$;
      CREATE TRIGGER subscriptions_deleted AFTER DELETE ON subscriptions
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION mark_deleted_purchases();
      CREATE TRIGGER one_time_purchases_deleted AFTER DELETE ON one_time_purchases
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION mark_deleted_purchases();

      INSERT INTO metric_changes (project_id, purchase_id, changed_at)
      SELECT project_id, id, updated_at FROM subscriptions
      UNION ALL SELECT project_id, id, updated_at FROM one_time_purchases;
      INSERT INTO customer_days (project_id, customer_id, day)
      SELECT project_id, id, (last_seen_at AT TIME ZONE 'UTC')::date FROM customers WHERE last_seen_at IS NOT NULL
      UNION SELECT project_id, id, (first_seen_at AT TIME ZONE 'UTC')::date FROM customers
        WHERE last_seen_at IS NOT NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
