/** Amounts that make the key figures exact: fractions of a micro, and access beyond a replacement. */
export const exactChartFacts = `
ALTER TABLE chart_facts ADD COLUMN monthly_fraction integer, ADD COLUMN overlap_trials smallint,
  ADD COLUMN overlap_actives smallint, ADD COLUMN overlap_monthly bigint;
ALTER TABLE chart_days ADD COLUMN monthly_fraction bigint, ADD COLUMN overlap_trials integer,
  ADD COLUMN overlap_actives integer, ADD COLUMN overlap_monthly bigint;

-- False until all facts and sums have these amounts, and again when an older server writes some without them.
ALTER TABLE chart_projects ADD COLUMN has_exact_facts boolean NOT NULL DEFAULT true;
UPDATE chart_projects SET has_exact_facts = false;

CREATE FUNCTION forget_exact_chart_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chart_projects SET has_exact_facts = false WHERE project_id = NEW.project_id AND has_exact_facts;
  RETURN NULL;
END
$$;
CREATE TRIGGER chart_facts_exact AFTER INSERT ON chart_facts
  FOR EACH ROW
  WHEN (current_setting('tenure.writes_exact_chart_facts', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION forget_exact_chart_facts();
CREATE TRIGGER chart_days_exact AFTER INSERT ON chart_days
  FOR EACH ROW
  WHEN (current_setting('tenure.writes_exact_chart_facts', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION forget_exact_chart_facts();
`;
