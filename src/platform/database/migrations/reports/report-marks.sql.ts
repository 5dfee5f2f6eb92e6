/**
 * Triggers, so that changes made by an older server count too. They only mark values that reports show. Purchases and
 * most customers are marked by the rows that charts get. A transaction marks a customer once; the setting names the
 * customer whom it marked last.
 */
export const reportMarks = `
-- A transaction that finds the project disabled ends before its rows are built, so it does not look again.
CREATE FUNCTION mark_report_customer(project text, customer text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE marked text;
BEGIN
  IF current_setting('tenure.report_marked', true) = customer THEN RETURN; END IF;
  IF EXISTS (SELECT 1 FROM report_projects WHERE project_id = project AND enabled) THEN
    INSERT INTO report_changes (project_id, customer_id, changed_at) VALUES (project, customer, now());
  END IF;
  marked := set_config('tenure.report_marked', customer, true);
END
$$;

-- For rows with a customer.
CREATE FUNCTION mark_report_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR NEW.customer_id <> OLD.customer_id) THEN
    PERFORM mark_report_customer(OLD.project_id, OLD.customer_id);
  END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM mark_report_customer(NEW.project_id, NEW.customer_id); END IF;
  RETURN NULL;
END
$$;

-- Written out, because every purchase runs it. An assignment takes less time than PERFORM.
CREATE FUNCTION mark_reports_with_charts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE marked text;
BEGIN
  IF current_setting('tenure.report_marked', true) = NEW.customer_id THEN RETURN NULL; END IF;
  IF EXISTS (SELECT 1 FROM report_projects WHERE project_id = NEW.project_id AND enabled) THEN
    INSERT INTO report_changes (project_id, customer_id, changed_at) VALUES (NEW.project_id, NEW.customer_id, now());
  END IF;
  marked := set_config('tenure.report_marked', NEW.customer_id, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER chart_changes_reported AFTER INSERT ON chart_changes
  FOR EACH ROW
  WHEN (NEW.customer_id IS NOT NULL)
  EXECUTE FUNCTION mark_reports_with_charts();

-- Time changes the state of a subscription without new facts.
CREATE TRIGGER subscriptions_rereported AFTER UPDATE OF status, next_due_at ON subscriptions
  FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.next_due_at IS DISTINCT FROM NEW.next_due_at)
  EXECUTE FUNCTION mark_report_rows();

CREATE FUNCTION mark_changed_report_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_report_customer(NEW.project_id, NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_rereported AFTER UPDATE OF original_app_user_id, last_seen_platform, last_seen_country,
    test_clock_id ON customers
  FOR EACH ROW
  WHEN ((OLD.original_app_user_id, OLD.last_seen_platform, OLD.last_seen_country, OLD.test_clock_id)
    IS DISTINCT FROM (NEW.original_app_user_id, NEW.last_seen_platform, NEW.last_seen_country, NEW.test_clock_id))
  EXECUTE FUNCTION mark_changed_report_customers();

CREATE TRIGGER customer_aliases_reported AFTER INSERT OR DELETE ON customer_aliases
  FOR EACH ROW
  EXECUTE FUNCTION mark_report_rows();
CREATE TRIGGER customer_aliases_rereported AFTER UPDATE ON customer_aliases
  FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION mark_report_rows();

CREATE TRIGGER experiment_enrollments_reported AFTER INSERT OR DELETE ON experiment_enrollments
  FOR EACH ROW
  EXECUTE FUNCTION mark_report_rows();
CREATE TRIGGER experiment_enrollments_rereported AFTER UPDATE OF customer_id, variant, enrolled_at
  ON experiment_enrollments
  FOR EACH ROW
  WHEN ((OLD.customer_id, OLD.variant, OLD.enrolled_at) IS DISTINCT FROM (NEW.customer_id, NEW.variant, NEW.enrolled_at))
  EXECUTE FUNCTION mark_report_rows();

-- A value that is only sent again changes nothing.
CREATE TRIGGER customer_attributes_reported AFTER INSERT ON customer_attributes
  FOR EACH ROW
  WHEN (NEW.value IS NOT NULL)
  EXECUTE FUNCTION mark_report_rows();
CREATE TRIGGER customer_attributes_rereported AFTER UPDATE OF customer_id, value ON customer_attributes
  FOR EACH ROW
  WHEN ((OLD.customer_id, OLD.value) IS DISTINCT FROM (NEW.customer_id, NEW.value))
  EXECUTE FUNCTION mark_report_rows();

-- One mark for a product. The job finds its buyers.
CREATE FUNCTION mark_report_product(project text, app text, identifier text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO report_changes (project_id, app_id, store_identifier, changed_at)
  SELECT r.project_id, app, identifier, now() FROM report_projects r JOIN projects p ON p.id = r.project_id
  WHERE r.project_id = project AND r.enabled AND p.deleted_at IS NULL
$$;

CREATE FUNCTION mark_report_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM mark_report_product(OLD.project_id, OLD.app_id, OLD.store_identifier); END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW.store_identifier <> OLD.store_identifier THEN
    PERFORM mark_report_product(NEW.project_id, NEW.app_id, NEW.store_identifier);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER products_reported AFTER INSERT OR DELETE ON products
  FOR EACH ROW
  EXECUTE FUNCTION mark_report_products();
CREATE TRIGGER products_rereported AFTER UPDATE OF store_identifier, type, display_name, duration ON products
  FOR EACH ROW
  WHEN ((OLD.store_identifier, OLD.type, OLD.display_name, OLD.duration)
    IS DISTINCT FROM (NEW.store_identifier, NEW.type, NEW.display_name, NEW.duration))
  EXECUTE FUNCTION mark_report_products();

CREATE FUNCTION mark_reported_attachments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed record;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  PERFORM mark_report_product(p.project_id, p.app_id, p.store_identifier) FROM products p
  WHERE p.project_id = changed.project_id AND p.id = changed.product_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER product_entitlements_reported AFTER INSERT OR DELETE ON product_entitlements
  FOR EACH ROW
  EXECUTE FUNCTION mark_reported_attachments();

CREATE FUNCTION mark_reported_entitlements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_changes (project_id, entitlement_id, changed_at)
  SELECT r.project_id, OLD.id, now() FROM report_projects r JOIN projects p ON p.id = r.project_id
  WHERE r.project_id = OLD.project_id AND r.enabled AND p.deleted_at IS NULL;
  PERFORM mark_report_product(p.project_id, p.app_id, p.store_identifier)
  FROM product_entitlements e JOIN products p ON p.project_id = e.project_id AND p.id = e.product_id
  WHERE e.project_id = OLD.project_id AND e.entitlement_id = OLD.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER entitlements_unreported AFTER DELETE ON entitlements
  FOR EACH ROW
  EXECUTE FUNCTION mark_reported_entitlements();
CREATE TRIGGER entitlements_rereported AFTER UPDATE OF lookup_key ON entitlements
  FOR EACH ROW
  WHEN (OLD.lookup_key <> NEW.lookup_key)
  EXECUTE FUNCTION mark_reported_entitlements();

-- The rows of a deleted customer go at once, and only their keys stay. Purchases that moved to another customer follow
-- with the marks of their new owner. The rollup of the project ends first, so that it adds none of these rows again.
CREATE FUNCTION delete_report_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place record;
  gone record;
  now_at timestamptz := clock_timestamp();
BEGIN
  IF NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = OLD.project_id AND p.deleted_at IS NULL) THEN RETURN NULL; END IF;
  UPDATE report_projects r SET seq = r.seq + 1, changed_at = greatest(r.changed_at, now_at)
  WHERE r.project_id = OLD.project_id
  RETURNING r.seq, r.changed_at INTO place;
  IF NOT FOUND THEN RETURN NULL; END IF;
  FOR gone IN
    DELETE FROM report_transactions t WHERE t.project_id = OLD.project_id AND t.customer_id = OLD.id
      AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.project_id = OLD.project_id AND s.id = t.purchase_id)
      AND NOT EXISTS (SELECT 1 FROM one_time_purchases o WHERE o.project_id = OLD.project_id AND o.id = t.purchase_id)
    RETURNING t.store, t.store_transaction_id, t.renewal_number, t.is_sandbox
  LOOP
    INSERT INTO report_deletions (project_id, seq, dataset, key, deleted_at)
    VALUES (OLD.project_id, place.seq, 'transactions', to_jsonb(gone), place.changed_at);
  END LOOP;
  FOR gone IN
    DELETE FROM report_subscriptions t WHERE t.project_id = OLD.project_id AND t.customer_id = OLD.id
      AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.project_id = OLD.project_id AND s.id = t.id)
      AND NOT EXISTS (SELECT 1 FROM one_time_purchases o WHERE o.project_id = OLD.project_id AND o.id = t.id)
    RETURNING t.id
  LOOP
    INSERT INTO report_deletions (project_id, seq, dataset, key, deleted_at)
    VALUES (OLD.project_id, place.seq, 'subscriptions', to_jsonb(gone), place.changed_at);
  END LOOP;
  FOR gone IN
    DELETE FROM report_customers t WHERE t.project_id = OLD.project_id AND t.customer_id = OLD.id
    RETURNING t.customer_id AS id
  LOOP
    INSERT INTO report_deletions (project_id, seq, dataset, key, deleted_at)
    VALUES (OLD.project_id, place.seq, 'customers', to_jsonb(gone), place.changed_at);
  END LOOP;
  DELETE FROM report_changes WHERE project_id = OLD.project_id AND customer_id = OLD.id;
  PERFORM set_config('tenure.report_marked', OLD.id, true);
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_unreported AFTER DELETE ON customers
  FOR EACH ROW
  EXECUTE FUNCTION delete_report_rows();

-- Nothing is marked while the rows of a deleted project are removed.
CREATE FUNCTION disable_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE report_projects SET enabled = false WHERE project_id = NEW.id AND enabled;
  RETURN NULL;
END
$$;
CREATE TRIGGER projects_unreported AFTER UPDATE OF deleted_at ON projects
  FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION disable_reports();
`;
