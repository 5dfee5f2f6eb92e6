/**
 * Triggers, so that nothing that changes purchases or customers needs to know about charts, and changes made by an
 * older server count too. Nothing is marked while a whole project is being removed.
 */
export const chartMarks = `
CREATE FUNCTION mark_chart_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chart_changes (project_id, purchase_id, changed_at)
  SELECT a.project_id, a.purchase_id, a.changed_at FROM added a;
  RETURN NULL;
END
$$;
CREATE TRIGGER metric_changes_charted AFTER INSERT ON metric_changes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_chart_purchases();

CREATE FUNCTION mark_chart_owners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chart_changes (project_id, customer_id, changed_at)
  SELECT p.id, owner.customer_id, now()
  FROM projects p CROSS JOIN (VALUES (OLD.customer_id), (CASE WHEN TG_OP = 'UPDATE' THEN NEW.customer_id END)) owner (customer_id)
  WHERE p.id = OLD.project_id AND p.deleted_at IS NULL AND owner.customer_id IS NOT NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER subscriptions_moved AFTER UPDATE OF customer_id ON subscriptions
  FOR EACH ROW WHEN (OLD.customer_id <> NEW.customer_id)
  EXECUTE FUNCTION mark_chart_owners();
CREATE TRIGGER subscriptions_uncharted AFTER DELETE ON subscriptions
  FOR EACH ROW
  EXECUTE FUNCTION mark_chart_owners();
CREATE TRIGGER one_time_purchases_moved AFTER UPDATE OF customer_id ON one_time_purchases
  FOR EACH ROW WHEN (OLD.customer_id <> NEW.customer_id)
  EXECUTE FUNCTION mark_chart_owners();
CREATE TRIGGER one_time_purchases_uncharted AFTER DELETE ON one_time_purchases
  FOR EACH ROW
  EXECUTE FUNCTION mark_chart_owners();

CREATE FUNCTION mark_chart_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (
    SELECT 1 FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN RETURN NULL; END IF;
  INSERT INTO chart_changes (project_id, customer_id, changed_at)
  VALUES (coalesce(NEW.project_id, OLD.project_id), coalesce(NEW.id, OLD.id), now());
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_charted AFTER INSERT OR DELETE ON customers
  FOR EACH ROW
  EXECUTE FUNCTION mark_chart_customers();
CREATE TRIGGER customers_recharted AFTER UPDATE OF first_seen_at, first_seen_country, first_seen_platform,
    first_seen_app_version ON customers
  FOR EACH ROW
  WHEN ((OLD.first_seen_at, OLD.first_seen_country, OLD.first_seen_platform, OLD.first_seen_app_version)
    IS DISTINCT FROM (NEW.first_seen_at, NEW.first_seen_country, NEW.first_seen_platform, NEW.first_seen_app_version))
  EXECUTE FUNCTION mark_chart_customers();

CREATE FUNCTION mark_chart_attributes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chart_changes (project_id, customer_id, changed_at)
  VALUES (NEW.project_id, NEW.customer_id, now());
  RETURN NULL;
END
$$;
CREATE TRIGGER customer_attributes_charted AFTER INSERT OR UPDATE ON customer_attributes
  FOR EACH ROW
  WHEN (NEW.name IN ('$mediaSource', '$campaign', '$adGroup', '$ad', '$keyword', '$creative'))
  EXECUTE FUNCTION mark_chart_attributes();

-- The length of a product decides the monthly value of what it sold.
CREATE FUNCTION rebuild_charts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chart_rebuilds (project_id)
  SELECT p.id FROM projects p WHERE p.id = coalesce(NEW.project_id, OLD.project_id) AND p.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM chart_facts f WHERE f.project_id = p.id)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER products_charted AFTER INSERT OR DELETE ON products
  FOR EACH ROW
  EXECUTE FUNCTION rebuild_charts();
CREATE TRIGGER products_recharted AFTER UPDATE OF duration, store_identifier ON products
  FOR EACH ROW
  WHEN ((OLD.duration, OLD.store_identifier) IS DISTINCT FROM (NEW.duration, NEW.store_identifier))
  EXECUTE FUNCTION rebuild_charts();
`;
