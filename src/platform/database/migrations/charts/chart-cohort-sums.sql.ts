const levels =
  '{customer_country,platform,media_source,install_month,app_id,store,product_id,product_duration,channel,offering_identifier,offer_type}';

/** Sums of cohorts by sets of values of one dimension, so that filters and segments need not read each customer. */
export const chartCohortSums = `
CREATE TABLE chart_cohort_sums (
  project_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('any', 'production', 'sandbox')),
  -- The dimension.
  level text NOT NULL,
  set_hash uuid NOT NULL,
  cohort_day date NOT NULL,
  -- The set, in the order of its bytes.
  values text[] NOT NULL,
  -- In sets of one value: customers with it (environment any), or who bought with it.
  customers integer NOT NULL,
  -- By window: customers who converted, or paid, with exactly this set.
  converts integer[] NOT NULL,
  pays integer[] NOT NULL,
  -- By window, in sets of one value: what was paid with it.
  revenue bigint[] NOT NULL,
  PRIMARY KEY (project_id, environment, level, set_hash, cohort_day)
) WITH (fillfactor = 80);

-- Levels that are stored, and those that are to be filled. Projects that come later start with all of them.
ALTER TABLE chart_projects ADD COLUMN cohort_levels text[] NOT NULL DEFAULT '${levels}',
  ADD COLUMN missing_cohort_levels text[] NOT NULL DEFAULT '{}';
UPDATE chart_projects SET cohort_levels = '{}', missing_cohort_levels = '${levels}';

-- An older server keeps the other sums of cohorts, but not these.
CREATE OR REPLACE FUNCTION forget_chart_cohorts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  keeps_counts boolean := current_setting('tenure.keeps_chart_cohorts', true) IS NOT DISTINCT FROM 'on';
BEGIN
  UPDATE chart_projects SET has_cohorts = has_cohorts AND keeps_counts,
    cohort_levels = '{}', missing_cohort_levels = '${levels}'
  WHERE project_id = coalesce(NEW.project_id, OLD.project_id)
    AND (cohort_levels <> '{}' OR has_cohorts AND NOT keeps_counts);
  RETURN NULL;
END
$$;
${['chart_customers', 'chart_payers']
  .map(
    (table) => `DROP TRIGGER ${table}_summed ON ${table};
CREATE TRIGGER ${table}_summed AFTER INSERT OR UPDATE OR DELETE ON ${table}
  FOR EACH ROW
  WHEN (current_setting('tenure.keeps_chart_cohort_sums', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION forget_chart_cohorts();`,
  )
  .join('\n')}
`;
