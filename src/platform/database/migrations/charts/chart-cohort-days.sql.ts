/** Sums of past days by the first days of their customers, so that the cohort explorer need not read each customer. */
export const chartCohortDays = `
-- Kinds: c first day, i first conversion, p first payment.
CREATE TABLE chart_cohort_days (
  project_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  kind text NOT NULL CHECK (kind IN ('c', 'i', 'p')),
  cohort_day date NOT NULL,
  day date NOT NULL,
  rate_day date NOT NULL,
  -- Whole months from the cohort day to the day.
  months smallint NOT NULL,
  revenue bigint NOT NULL,
  tax bigint NOT NULL,
  commission bigint NOT NULL,
  actives integer NOT NULL,
  PRIMARY KEY (project_id, environment, kind, cohort_day, day, rate_day)
);
CREATE INDEX chart_cohort_days_by_day ON chart_cohort_days (project_id, environment, day);

-- False until all days were summed this way. Projects that come later start with it.
ALTER TABLE chart_projects ADD COLUMN has_cohort_days boolean NOT NULL DEFAULT true;
-- The rollup marks all days when it derives the facts again, and sums them, the newest first.
UPDATE chart_projects SET has_cohort_days = false, has_exact_facts = false;

-- Older servers do not mark the days of a customer whose first days change or who is deleted.
CREATE OR REPLACE FUNCTION forget_exact_chart_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chart_projects SET has_exact_facts = false
  WHERE project_id = coalesce(NEW.project_id, OLD.project_id) AND has_exact_facts;
  RETURN NULL;
END
$$;
CREATE TRIGGER chart_customers_exact AFTER UPDATE OF cohort_day OR DELETE ON chart_customers
  FOR EACH ROW
  WHEN (current_setting('tenure.writes_exact_chart_facts', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION forget_exact_chart_facts();
`;
