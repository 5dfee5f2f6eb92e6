import type { MigrationInterface, QueryRunner } from 'typeorm';
import { attributeValueTimes } from './reports/attribute-value-times.sql.js';
import { reportMarks } from './reports/report-marks.sql.js';

/** Rows of data sets that are kept current by the rollup of reports. Exports, downloads and SQL users read them. */
const tables = `
CREATE TABLE report_projects (
  project_id text NOT NULL PRIMARY KEY REFERENCES projects (id),
  enabled boolean NOT NULL DEFAULT false,
  unused_since timestamptz(3),
  seq bigint NOT NULL DEFAULT 0,
  -- When rows last changed. Never moves back, even if the clock does.
  changed_at timestamptz(3),
  built_at timestamptz(3),
  built_until text,
  -- Transactions before this one may have found the project disabled, so that they marked nothing.
  build_after bigint,
  code_version integer NOT NULL DEFAULT 0
);

CREATE TABLE report_changes (
  project_id text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  customer_id text,
  -- A product of an app, whose buyers follow.
  app_id text,
  store_identifier text,
  -- An entitlement, whose grants follow.
  entitlement_id text,
  done_until text NOT NULL DEFAULT '',
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id),
  CHECK (num_nonnulls(customer_id, store_identifier, entitlement_id) = 1),
  CHECK ((app_id IS NULL) = (store_identifier IS NULL))
);

CREATE TABLE report_transactions (
  project_id text NOT NULL,
  purchase_id text NOT NULL,
  period_key text NOT NULL,
  product text NOT NULL,
  customer_id text NOT NULL,
  app_id text,
  country text,
  country_source text,
  product_identifier text NOT NULL,
  product_display_name text,
  product_duration text,
  start_time timestamptz(3) NOT NULL,
  end_time timestamptz(3),
  grace_period_end_time timestamptz(3),
  effective_end_time timestamptz(3),
  store text NOT NULL,
  is_auto_renewable boolean NOT NULL,
  is_trial_period boolean NOT NULL,
  is_in_intro_offer_period boolean NOT NULL,
  is_sandbox boolean NOT NULL,
  price_in_usd numeric(20, 6),
  purchase_price_in_usd numeric(20, 6),
  takehome_percentage numeric(7, 6) NOT NULL,
  tax_percentage numeric(7, 6) NOT NULL,
  commission_percentage numeric(7, 6) NOT NULL,
  store_transaction_id text NOT NULL,
  original_store_transaction_id text,
  refunded_at timestamptz(3),
  unsubscribe_detected_at timestamptz(3),
  billing_issues_detected_at timestamptz(3),
  purchased_currency text,
  price_in_purchased_currency numeric(20, 6),
  purchase_price_in_purchased_currency numeric(20, 6),
  entitlement_identifiers text[],
  renewal_number integer NOT NULL,
  is_trial_conversion boolean NOT NULL,
  presented_offering text,
  ownership_type text NOT NULL,
  offer text,
  offer_type text,
  auto_resume_time timestamptz(3),
  seq bigint NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (project_id, purchase_id, period_key, product)
);
CREATE UNIQUE INDEX report_transactions_keys
  ON report_transactions (project_id, store, is_sandbox, store_transaction_id, renewal_number);
CREATE INDEX report_transactions_by_seq ON report_transactions (project_id, seq);
CREATE INDEX report_transactions_by_customer ON report_transactions (project_id, customer_id);
CREATE INDEX report_transactions_by_start ON report_transactions (project_id, start_time);

CREATE TABLE report_customers (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  original_app_user_id text NOT NULL,
  last_seen_app_user_id text NOT NULL,
  aliases text[] NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3),
  last_seen_platform text,
  last_seen_app_version text,
  last_seen_country text,
  reserved_attributes jsonb,
  custom_attributes jsonb,
  experiment_id text,
  experiment_variant text,
  seq bigint NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  hash text NOT NULL,
  tx_seq bigint NOT NULL,
  tx_changed_at timestamptz(3) NOT NULL,
  tx_hash text NOT NULL,
  PRIMARY KEY (project_id, customer_id)
);
CREATE INDEX report_customers_by_seq ON report_customers (project_id, seq);
CREATE INDEX report_customers_by_tx_seq ON report_customers (project_id, tx_seq);

CREATE TABLE report_subscriptions (
  project_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('subscription', 'one_time')),
  customer_id text NOT NULL,
  app_id text,
  store text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  product_identifier text,
  status text NOT NULL,
  gives_access boolean NOT NULL,
  auto_renewal_status text,
  started_at timestamptz(3),
  current_period_started_at timestamptz(3),
  current_period_ends_at timestamptz(3),
  access_ends_at timestamptz(3),
  ownership text NOT NULL,
  original_store_transaction_id text,
  latest_store_transaction_id text,
  entitlement_identifiers text[],
  price_currency text,
  price_micros bigint,
  seq bigint NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX report_subscriptions_by_seq ON report_subscriptions (project_id, seq);
CREATE INDEX report_subscriptions_by_customer ON report_subscriptions (project_id, customer_id);
-- The access of a one-time purchase ends without a change of the purchase.
CREATE INDEX report_subscriptions_to_end ON report_subscriptions (project_id, access_ends_at)
  WHERE kind = 'one_time' AND gives_access;

CREATE TABLE report_deletions (
  project_id text NOT NULL,
  seq bigint NOT NULL,
  dataset text NOT NULL CHECK (dataset IN ('transactions', 'customers', 'subscriptions')),
  key jsonb NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, seq, dataset, key)
);
CREATE INDEX report_deletions_by_time ON report_deletions (project_id, deleted_at);
`;

/**
 * A SQL user may EXPLAIN a query on a view of these tables, and estimates of the planner would reveal values of other
 * projects. The server reads the tables by key and sequence number only, so it needs no statistics.
 */
const noStatistics = `
DO $$
DECLARE found record;
BEGIN
  FOR found IN
    SELECT a.attrelid::regclass AS report, a.attname AS name FROM pg_attribute a
    WHERE a.attrelid IN ('report_transactions'::regclass, 'report_customers'::regclass, 'report_subscriptions'::regclass)
      AND a.attnum > 1 AND NOT a.attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', found.report, found.name);
  END LOOP;
END
$$;
`;

export class ReportRows1797120000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(tables);
    await queryRunner.query(noStatistics);
    await queryRunner.query(attributeValueTimes);
    await queryRunner.query(reportMarks);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
