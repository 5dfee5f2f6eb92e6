import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Blocked customers, look-ups of purchases by store identifier, and the indexes of the v2 lists. */
export class CustomerLists1764230000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- App user ids that get no entitlements. A customer is blocked while they go by one of them.
      CREATE TABLE blocked_customers (
        project_id text NOT NULL REFERENCES projects (id),
        app_user_id text COLLATE "C" NOT NULL,
        note text,
        blocked_at timestamptz(3) NOT NULL,
        blocked_by_type text NOT NULL CHECK (blocked_by_type IN ('user', 'api_key', 'oauth_client', 'scim')),
        blocked_by_id text NOT NULL,
        blocked_by_email text,
        PRIMARY KEY (project_id, app_user_id)
      );
      CREATE INDEX blocked_customers_list ON blocked_customers (project_id, blocked_at DESC, app_user_id DESC);

      ALTER TABLE customers
        ADD COLUMN last_seen_platform_flavor text,
        ADD COLUMN last_seen_sdk_version text;
      CREATE INDEX customers_list ON customers (project_id, created_at DESC, original_app_user_id COLLATE "C" DESC);
      DROP INDEX customer_aliases_by_customer;
      CREATE INDEX customer_aliases_by_customer ON customer_aliases (project_id, customer_id, app_user_id);
      -- Cut, because an index entry has its limit; nobody searches for more than 255 characters.
      CREATE INDEX customer_attributes_by_email ON customer_attributes (project_id, lower(left(value, 256)))
        WHERE name = '$email';

      -- Every store id that a purchase ever had.
      CREATE TABLE subscription_identifiers (
        project_id text NOT NULL,
        store_identifier text COLLATE "C" NOT NULL,
        subscription_id text NOT NULL,
        PRIMARY KEY (project_id, store_identifier, subscription_id),
        FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX subscription_identifiers_by_owner ON subscription_identifiers (project_id, subscription_id);
      INSERT INTO subscription_identifiers (project_id, store_identifier, subscription_id)
        SELECT project_id, unnest(store_identifiers), id FROM subscriptions ON CONFLICT DO NOTHING;
      CREATE TABLE one_time_identifiers (
        project_id text NOT NULL,
        store_identifier text COLLATE "C" NOT NULL,
        purchase_id text NOT NULL,
        PRIMARY KEY (project_id, store_identifier, purchase_id),
        FOREIGN KEY (project_id, purchase_id) REFERENCES one_time_purchases (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX one_time_identifiers_by_owner ON one_time_identifiers (project_id, purchase_id);
      INSERT INTO one_time_identifiers (project_id, store_identifier, purchase_id)
        SELECT project_id, unnest(store_identifiers), id FROM one_time_purchases ON CONFLICT DO NOTHING;

      -- By kind of event first: the log steps from kind to kind, so that every filter is an index condition.
      CREATE INDEX events_by_kind ON events (project_id, type, coalesce(environment, ''), coalesce(app_id, ''),
        occurred_at DESC, created_at DESC, id DESC);
      CREATE INDEX events_by_id ON events (project_id, id);

      CREATE INDEX store_transactions_feed
        ON store_transactions (project_id, environment, purchased_at DESC, id DESC);
      CREATE INDEX store_transactions_by_customer
        ON store_transactions (project_id, customer_id, purchased_at DESC, id DESC);
      CREATE INDEX store_transactions_by_id ON store_transactions (project_id, id);
      CREATE INDEX store_transactions_unconverted ON store_transactions (project_id, currency)
        WHERE usd_micros IS NULL AND amount_micros IS NOT NULL;

      ALTER TABLE webhook_deliveries ADD COLUMN last_attempt_at timestamptz(3)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
