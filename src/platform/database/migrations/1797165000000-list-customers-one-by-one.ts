import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * On Citus a worker runs the function as a whole, and none of its statements may call a function that reads the tables
 * of the project. Each customer is one row anyway.
 */
const listCustomers = `
CREATE OR REPLACE FUNCTION list_customers(project text, customers text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c record;
  p record;
  money record;
  country text;
BEGIN
  FOR c IN
    SELECT k.id, k.first_seen_at, coalesce(k.last_seen_at, k.first_seen_at) AS last_seen_at, k.test_clock_at,
      k.last_seen_platform, k.last_seen_country, k.last_seen_app_version
    FROM customers k WHERE k.project_id = project AND k.id = ANY (customers)
  LOOP
    p := listed_purchases(project, c.id);
    country := c.last_seen_country;
    IF country IS NULL THEN
      SELECT t.country INTO country FROM store_transactions t
      WHERE t.project_id = project AND t.customer_id = c.id AND t.country IS NOT NULL
      ORDER BY t.purchased_at DESC, t.id DESC LIMIT 1;
    END IF;
    SELECT coalesce(sum(t.usd_micros) FILTER (WHERE t.environment = 'production'), 0) AS spent,
      coalesce(sum(t.usd_micros) FILTER (WHERE t.environment = 'sandbox'), 0) AS sandbox_spent,
      count(*) FILTER (WHERE t.environment = 'production' AND t.kind = 'refund')
        - count(*) FILTER (WHERE t.environment = 'production' AND t.kind = 'refund_reversal') AS refunds,
      count(*) FILTER (WHERE t.environment = 'sandbox' AND t.kind = 'refund')
        - count(*) FILTER (WHERE t.environment = 'sandbox' AND t.kind = 'refund_reversal') AS sandbox_refunds
    INTO money FROM store_transactions t WHERE t.project_id = project AND t.customer_id = c.id;
    INSERT INTO listed_customers AS l (project_id, customer_id, first_seen_at, last_seen_at, clock_at, tags,
      access_until, trial_until, grace_until, sandbox_access_until, sandbox_trial_until, sandbox_grace_until,
      spent_usd_micros, sandbox_spent_usd_micros, refunds, sandbox_refunds)
    VALUES (project, c.id, c.first_seen_at, c.last_seen_at, c.test_clock_at,
      listed_device_tags(project, c.last_seen_platform, country, c.last_seen_app_version) || p.tags,
      p.access_until, p.trial_until, p.grace_until, p.sandbox_access_until, p.sandbox_trial_until,
      p.sandbox_grace_until, money.spent, money.sandbox_spent, money.refunds, money.sandbox_refunds)
    ON CONFLICT (project_id, customer_id) DO UPDATE SET
      first_seen_at = excluded.first_seen_at, last_seen_at = greatest(l.last_seen_at, excluded.last_seen_at),
      clock_at = excluded.clock_at, tags = excluded.tags, access_until = excluded.access_until,
      trial_until = excluded.trial_until, grace_until = excluded.grace_until,
      sandbox_access_until = excluded.sandbox_access_until, sandbox_trial_until = excluded.sandbox_trial_until,
      sandbox_grace_until = excluded.sandbox_grace_until, spent_usd_micros = excluded.spent_usd_micros,
      sandbox_spent_usd_micros = excluded.sandbox_spent_usd_micros, refunds = excluded.refunds,
      sandbox_refunds = excluded.sandbox_refunds;
  END LOOP;
  DELETE FROM listed_customers l WHERE l.project_id = project AND l.customer_id = ANY (customers)
    AND NOT EXISTS (SELECT 1 FROM customers k WHERE k.project_id = project AND k.id = l.customer_id);
END
$$;
DROP FUNCTION listed_country(text, text, text);
`;

export class ListCustomersOneByOne1797165000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(listCustomers);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
