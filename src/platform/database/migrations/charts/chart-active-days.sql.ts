/** Active customers by day and by the days since they were active before. */
export const chartActiveDays = `
CREATE TABLE chart_active_days (
  project_id text NOT NULL,
  level text NOT NULL CHECK (level IN ('all', 'customer_country', 'platform')),
  value_hash uuid NOT NULL,
  day date NOT NULL,
  -- Days since the previous active day; 32767 if there is none.
  gap smallint NOT NULL,
  value text NOT NULL,
  customers integer NOT NULL,
  PRIMARY KEY (project_id, level, value_hash, day, gap)
);
CREATE INDEX chart_active_days_by_day ON chart_active_days (project_id, level, day);

-- Past days whose sums are missing or out of date. Rows are only added, so that no write waits for the rollup.
CREATE TABLE chart_active_marks (
  project_id text NOT NULL,
  day date NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- A day that has just ended waits for transactions that began before. Null: now.
  due_at timestamptz(3),
  PRIMARY KEY (project_id, day, id)
);

-- The sums of these days are stored, unless they are marked. Null: of no day.
ALTER TABLE chart_projects ADD COLUMN active_days_from date, ADD COLUMN active_days_until date,
  -- A day with so many active customers that its sums were stored before it ended, and as of when.
  ADD COLUMN active_today date, ADD COLUMN active_today_at timestamptz(3);

-- A changed day changes the gap of the customer's next active day, too. The days of a deleted project need no marks.
CREATE FUNCTION mark_active_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chart_active_marks (project_id, day)
  SELECT DISTINCT a.project_id, m.day FROM changed a
  JOIN chart_projects c ON c.project_id = a.project_id AND a.day >= c.active_days_from AND a.day <= c.active_days_until
  CROSS JOIN LATERAL (
    SELECT a.day UNION ALL
    SELECT min(d.day) FROM customer_days d WHERE d.project_id = a.project_id AND d.customer_id = a.customer_id
      AND d.day > a.day AND d.day <= c.active_days_until
  ) m
  WHERE m.day IS NOT NULL AND EXISTS (SELECT 1 FROM projects p WHERE p.id = a.project_id AND p.deleted_at IS NULL);
  RETURN NULL;
END
$$;
CREATE TRIGGER customer_days_added AFTER INSERT ON customer_days REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_active_days();
CREATE TRIGGER customer_days_deleted AFTER DELETE ON customer_days REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_active_days();

CREATE FUNCTION mark_active_days_of_customer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  active date;
BEGIN
  FOR active IN SELECT d.day FROM customer_days d JOIN chart_projects c ON c.project_id = NEW.project_id
    WHERE d.project_id = NEW.project_id AND d.customer_id = NEW.id
      AND d.day >= c.active_days_from AND d.day <= c.active_days_until
    ORDER BY d.day
  LOOP
    INSERT INTO chart_active_marks (project_id, day) VALUES (NEW.project_id, active);
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_resummed AFTER UPDATE OF first_seen_country, first_seen_platform ON customers
  FOR EACH ROW
  WHEN ((OLD.first_seen_country, OLD.first_seen_platform) IS DISTINCT FROM (NEW.first_seen_country, NEW.first_seen_platform))
  EXECUTE FUNCTION mark_active_days_of_customer();
`;
