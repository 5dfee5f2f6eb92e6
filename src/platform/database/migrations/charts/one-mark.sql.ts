/**
 * A new customer is marked once for each job, however many statements of its transaction change it. The setting names
 * the customers that the transaction has created. It is cut at a length, so some of very many customers are marked
 * again, which changes nothing.
 */
export const oneMark = `
CREATE FUNCTION mark_created_customers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE created text;
BEGIN
  -- An upsert that only updates runs this trigger too.
  IF NOT EXISTS (SELECT 1 FROM added) THEN RETURN NULL; END IF;
  INSERT INTO chart_changes (project_id, customer_id, changed_at) SELECT a.project_id, a.id, now() FROM added a;
  INSERT INTO listed_customer_changes (project_id, customer_id) SELECT a.project_id, a.id FROM added a;
  INSERT INTO metric_customer_changes (project_id, day, first_seen, last_seen)
  SELECT d.project_id, d.day, sum(d.first_seen), sum(d.last_seen) FROM (
    SELECT a.project_id, (a.first_seen_at AT TIME ZONE 'UTC')::date AS day, 1 AS first_seen, 0 AS last_seen FROM added a
    UNION ALL
    SELECT a.project_id, (a.last_seen_at AT TIME ZONE 'UTC')::date, 0, 1 FROM added a WHERE a.last_seen_at IS NOT NULL
  ) d GROUP BY d.project_id, d.day;
  created := (SELECT string_agg(n.id, ',') FROM (SELECT a.id FROM added a LIMIT 500) n);
  PERFORM set_config('tenure.created_customers',
    left(concat_ws(',', created, nullif(current_setting('tenure.created_customers', true), '')), 20000), true);
  RETURN NULL;
END
$$;
DROP TRIGGER customers_listed ON customers;
DROP FUNCTION mark_new_customers_for_lists();
CREATE TRIGGER customers_created AFTER INSERT ON customers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_created_customers();

DROP TRIGGER customers_charted ON customers;
CREATE TRIGGER customers_uncharted AFTER DELETE ON customers
  FOR EACH ROW
  EXECUTE FUNCTION mark_chart_customers();
CREATE OR REPLACE FUNCTION mark_chart_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (
    SELECT 1 FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN RETURN NULL; END IF;
  INSERT INTO chart_changes (project_id, customer_id, changed_at)
  VALUES (coalesce(NEW.project_id, OLD.project_id), coalesce(NEW.id, OLD.id), now());
  RETURN NULL;
END
$$;

DROP TRIGGER customers_counted ON customers;
CREATE TRIGGER customers_uncounted AFTER DELETE ON customers
  FOR EACH ROW
  EXECUTE FUNCTION count_customer_days();

CREATE OR REPLACE FUNCTION mark_changed_customers_for_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listed_customer_changes (project_id, customer_id)
  SELECT c.project_id, c.id FROM changed c JOIN former o ON o.project_id = c.project_id AND o.id = c.id
  WHERE (c.version <> o.version OR (c.last_seen_platform, c.last_seen_country, c.last_seen_app_version, c.test_clock_at)
      IS DISTINCT FROM (o.last_seen_platform, o.last_seen_country, o.last_seen_app_version, o.test_clock_at))
    AND (c.id = ANY (string_to_array(current_setting('tenure.created_customers', true), ','))) IS NOT TRUE;
  UPDATE listed_customers l SET first_seen_at = c.first_seen_at, last_seen_at = coalesce(c.last_seen_at, c.first_seen_at)
  FROM changed c JOIN former o ON o.project_id = c.project_id AND o.id = c.id
  WHERE c.version = o.version
    AND (c.last_seen_platform, c.last_seen_country, c.last_seen_app_version, c.test_clock_at)
      IS NOT DISTINCT FROM (o.last_seen_platform, o.last_seen_country, o.last_seen_app_version, o.test_clock_at)
    AND (c.first_seen_at, c.last_seen_at) IS DISTINCT FROM (o.first_seen_at, o.last_seen_at)
    AND l.project_id = c.project_id AND l.customer_id = c.id;
  RETURN NULL;
END
$$;

-- Only jobs write the rows of lists, so they can collect the entries of some hundred customers. Added one by one, the
-- entries of a customer took 3 to 9 KB of the log.
ALTER INDEX listed_customers_by_tag SET (fastupdate = on, gin_pending_list_limit = 512);
`;
