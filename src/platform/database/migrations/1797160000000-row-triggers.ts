import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Triggers run for each row and insert single rows of its project: the shards of a Citus cluster have no transition
 * tables.
 */
const rowTriggers = `
DROP TRIGGER customers_created ON customers;
DROP FUNCTION mark_created_customers();
DROP TRIGGER customers_relisted ON customers;
DROP FUNCTION mark_changed_customers_for_lists();
DROP TRIGGER customers_unlisted ON customers;
DROP FUNCTION unlist_customers();
DROP TRIGGER customer_days_added ON customer_days;
DROP TRIGGER customer_days_deleted ON customer_days;
DROP FUNCTION mark_active_days();
DROP TRIGGER store_transactions_relisted ON store_transactions;
DROP TRIGGER store_transactions_unlisted ON store_transactions;
DROP FUNCTION mark_ledger_owners_for_lists();
DROP TRIGGER events_noted ON events;
DROP FUNCTION note_events();

-- The setting names customers that the transaction created: other statements need not mark them again. It is cut at a
-- length, so some of very many are marked again, which changes nothing.
CREATE FUNCTION mark_created_customer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first_day date := (NEW.first_seen_at AT TIME ZONE 'UTC')::date;
  last_day date := (NEW.last_seen_at AT TIME ZONE 'UTC')::date;
BEGIN
  INSERT INTO chart_changes (project_id, customer_id, changed_at) VALUES (NEW.project_id, NEW.id, now());
  INSERT INTO listed_customer_changes (project_id, customer_id) VALUES (NEW.project_id, NEW.id);
  INSERT INTO metric_customer_changes (project_id, day, first_seen, last_seen)
  VALUES (NEW.project_id, first_day, 1, CASE WHEN last_day = first_day THEN 1 ELSE 0 END);
  IF last_day <> first_day THEN
    INSERT INTO metric_customer_changes (project_id, day, first_seen, last_seen)
    VALUES (NEW.project_id, last_day, 0, 1);
  END IF;
  PERFORM set_config('tenure.created_customers',
    left(concat_ws(',', NEW.id, nullif(current_setting('tenure.created_customers', true), '')), 1000), true);
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_created AFTER INSERT ON customers FOR EACH ROW EXECUTE FUNCTION mark_created_customer();

CREATE FUNCTION mark_customer_for_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listed_customer_changes (project_id, customer_id) VALUES (NEW.project_id, NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_relisted AFTER UPDATE ON customers FOR EACH ROW
  WHEN ((NEW.version, NEW.last_seen_platform, NEW.last_seen_country, NEW.last_seen_app_version, NEW.test_clock_at)
    IS DISTINCT FROM
    (OLD.version, OLD.last_seen_platform, OLD.last_seen_country, OLD.last_seen_app_version, OLD.test_clock_at)
    AND (NEW.id = ANY (string_to_array(current_setting('tenure.created_customers', true), ','))) IS NOT TRUE)
  EXECUTE FUNCTION mark_customer_for_lists();

CREATE FUNCTION keep_seen_times_of_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listed_customers
  SET first_seen_at = NEW.first_seen_at, last_seen_at = coalesce(NEW.last_seen_at, NEW.first_seen_at)
  WHERE project_id = NEW.project_id AND customer_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_seen AFTER UPDATE OF first_seen_at, last_seen_at ON customers FOR EACH ROW
  WHEN ((NEW.first_seen_at, NEW.last_seen_at) IS DISTINCT FROM (OLD.first_seen_at, OLD.last_seen_at)
    AND (NEW.version, NEW.last_seen_platform, NEW.last_seen_country, NEW.last_seen_app_version, NEW.test_clock_at)
    IS NOT DISTINCT FROM
    (OLD.version, OLD.last_seen_platform, OLD.last_seen_country, OLD.last_seen_app_version, OLD.test_clock_at))
  EXECUTE FUNCTION keep_seen_times_of_lists();

CREATE FUNCTION unlist_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM listed_customers WHERE project_id = OLD.project_id AND customer_id = OLD.id;
  IF EXISTS (SELECT 1 FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN
    INSERT INTO listed_customer_changes (project_id, customer_id) VALUES (OLD.project_id, OLD.id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_unlisted AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION unlist_customer();

-- A day that appears or disappears changes the gap of the customer's next active day too.
CREATE FUNCTION mark_active_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed customer_days := coalesce(NEW, OLD);
  last_summed date;
  next_day date;
BEGIN
  SELECT active_days_until INTO last_summed FROM chart_projects
  WHERE project_id = changed.project_id AND changed.day BETWEEN active_days_from AND active_days_until;
  IF last_summed IS NULL
    OR NOT EXISTS (SELECT 1 FROM projects WHERE id = changed.project_id AND deleted_at IS NULL)
  THEN RETURN NULL; END IF;
  INSERT INTO chart_active_marks (project_id, day) VALUES (changed.project_id, changed.day);
  SELECT min(day) INTO next_day FROM customer_days
  WHERE project_id = changed.project_id AND customer_id = changed.customer_id
    AND day > changed.day AND day <= last_summed;
  IF next_day IS NOT NULL THEN
    INSERT INTO chart_active_marks (project_id, day) VALUES (changed.project_id, next_day);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER customer_days_added AFTER INSERT ON customer_days FOR EACH ROW EXECUTE FUNCTION mark_active_days();
CREATE TRIGGER customer_days_deleted AFTER DELETE ON customer_days FOR EACH ROW EXECUTE FUNCTION mark_active_days();

CREATE FUNCTION mark_ledger_owner_for_lists() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE owner store_transactions := coalesce(NEW, OLD);
BEGIN
  IF EXISTS (SELECT 1 FROM projects WHERE id = owner.project_id AND deleted_at IS NULL) THEN
    INSERT INTO listed_customer_changes (project_id, customer_id) VALUES (owner.project_id, owner.customer_id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER store_transactions_relisted AFTER UPDATE ON store_transactions
  FOR EACH ROW EXECUTE FUNCTION mark_ledger_owner_for_lists();
CREATE TRIGGER store_transactions_unlisted AFTER DELETE ON store_transactions
  FOR EACH ROW EXECUTE FUNCTION mark_ledger_owner_for_lists();

-- Statements insert events in the order of their type, environment, app and key, so that no two wait for each other.
CREATE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_kinds (project_id, type, environment, app_id)
  VALUES (NEW.project_id, NEW.type, coalesce(NEW.environment, ''), coalesce(NEW.app_id, '')) ON CONFLICT DO NOTHING;
  INSERT INTO event_keys (project_id, dedupe_key) VALUES (NEW.project_id, NEW.dedupe_key);
  RETURN NULL;
END
$$;
CREATE TRIGGER events_noted AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION note_event();
`;

export class RowTriggers1797160000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(rowTriggers);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
