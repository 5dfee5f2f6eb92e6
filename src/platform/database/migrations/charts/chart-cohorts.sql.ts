/** Sums over all customers of a cohort, so that charts of cohorts need not read each customer. */
export const chartCohorts = `
-- By the windows after the cohort day; how many customers there are is in the environment any, window 0.
CREATE TABLE chart_cohort_counts (
  project_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('any', 'production', 'sandbox')),
  cohort_day date NOT NULL,
  time_window smallint NOT NULL,
  customers integer NOT NULL,
  -- Customers with a trial or payment, and with a payment, that counts in the window.
  converts integer NOT NULL,
  pays integer NOT NULL,
  PRIMARY KEY (project_id, environment, cohort_day, time_window)
);

-- By the first window that holds it, and the day whose exchange rates it has.
CREATE TABLE chart_cohort_money (
  project_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  cohort_day date NOT NULL,
  time_window smallint NOT NULL,
  rate_day date NOT NULL,
  revenue bigint NOT NULL,
  PRIMARY KEY (project_id, environment, cohort_day, time_window, rate_day)
);

-- False until the sums are made, and again when something changes that they do not follow, as by an older server.
ALTER TABLE chart_projects ADD COLUMN has_cohorts boolean NOT NULL DEFAULT true;
UPDATE chart_projects SET has_cohorts = false;

CREATE FUNCTION forget_chart_cohorts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chart_projects SET has_cohorts = false
  WHERE project_id = coalesce(NEW.project_id, OLD.project_id) AND has_cohorts;
  RETURN NULL;
END
$$;
${['chart_customers', 'chart_payers', 'chart_facts']
  .map(
    (table) => `CREATE TRIGGER ${table}_summed AFTER INSERT OR UPDATE OR DELETE ON ${table}
  FOR EACH ROW
  WHEN (current_setting('tenure.keeps_chart_cohorts', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION forget_chart_cohorts();`,
  )
  .join('\n')}
`;
