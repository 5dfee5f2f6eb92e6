import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeTables } from '../giving-way.js';

const plan = 'app_id, store_product_id, length_units';
const amounts = ['trials', 'subscriptions', 'price_micros', 'revenue_micros', 'transactions'];

/** What starts and ends in each hour, of the periods in `source`. */
const hoursOf = (source: string): string => `
  SELECT project_id, environment, date_trunc('hour', starts_at, 'UTC') AS hour, ${plan}, ${amounts.join(', ')} FROM ${source}
  UNION ALL
  SELECT project_id, environment, date_trunc('hour', ends_at, 'UTC'), ${plan}, -trials, -subscriptions, -price_micros, 0, 0
  FROM ${source} WHERE ends_at IS NOT NULL`;

/**
 * Figures by hour, for the two days of an overview that it does not show whole. A trigger keeps them up, also when the
 * version before writes the periods. Only the rollup writes these: it waits while the hours are filled.
 */
export class MetricHours1764600000501 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE IF NOT EXISTS metric_hours (
        project_id text NOT NULL,
        environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
        hour timestamptz(0) NOT NULL,
        app_id text NOT NULL,
        store_product_id text NOT NULL,
        length_units integer NOT NULL,
        trials integer NOT NULL,
        subscriptions integer NOT NULL,
        price_micros bigint NOT NULL,
        revenue_micros bigint NOT NULL,
        transactions integer NOT NULL,
        PRIMARY KEY (project_id, environment, hour, ${plan})
      ) WITH (fillfactor = 80);
      CREATE OR REPLACE FUNCTION add_metric_hours() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE sign integer := TG_ARGV[0];
      BEGIN
        INSERT INTO metric_hours AS h (project_id, environment, hour, ${plan}, ${amounts.join(', ')})
        SELECT m.project_id, m.environment, m.hour, ${plan}, ${amounts.map((name) => `sign * sum(m.${name})`).join(', ')}
        -- Of a project that is removed as a whole nothing is counted any more.
        FROM (${hoursOf('changed')}) m JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
        GROUP BY m.project_id, m.environment, m.hour, ${plan} ORDER BY m.project_id, m.environment, m.hour, ${plan}
        ON CONFLICT (project_id, environment, hour, ${plan}) DO UPDATE SET
          ${amounts.map((name) => `${name} = h.${name} + excluded.${name}`).join(', ')};
        RETURN NULL;
      END $$`);
    await changeTables(
      queryRunner,
      ['metric_periods'],
      `DROP TRIGGER IF EXISTS metric_periods_added ON metric_periods;
       DROP TRIGGER IF EXISTS metric_periods_removed ON metric_periods;
       TRUNCATE metric_hours;
       CREATE TRIGGER metric_periods_added AFTER INSERT ON metric_periods
         REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_metric_hours('1');
       CREATE TRIGGER metric_periods_removed AFTER DELETE ON metric_periods
         REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_metric_hours('-1');
       INSERT INTO metric_hours
       SELECT project_id, environment, hour, ${plan}, ${amounts.map((name) => `sum(${name})`).join(', ')}
       FROM (${hoursOf('metric_periods')}) m WHERE hour >= now() - interval '60 days'
       GROUP BY project_id, environment, hour, ${plan}`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
