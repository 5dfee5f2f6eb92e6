/**
 * Servers before 0.12.0 still mark purchases in `metric_changes`, whose trigger passes the marks on, and read the other
 * tables of metrics. The next version drops these tables and the trigger.
 */
export const oneRollup = `
-- Deleted purchases are marked for the charts by their customers.
DROP TRIGGER subscriptions_deleted ON subscriptions;
DROP TRIGGER one_time_purchases_deleted ON one_time_purchases;
DROP FUNCTION mark_deleted_purchases();

-- The setting tells the rest of the transaction that the customer is marked.
CREATE OR REPLACE FUNCTION mark_chart_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (
    SELECT 1 FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN RETURN NULL; END IF;
  INSERT INTO chart_changes (project_id, customer_id, changed_at)
  VALUES (coalesce(NEW.project_id, OLD.project_id), coalesce(NEW.id, OLD.id), now());
  IF TG_OP = 'INSERT' THEN PERFORM set_config('tenure.charted_customer', NEW.id, true); END IF;
  RETURN NULL;
END
$$;
`;
