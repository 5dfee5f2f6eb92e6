/** A change of a product asks for its customers only. Rows are only added, so that no write waits for the rollup. */
export const chartProductChanges = `
CREATE TABLE chart_product_changes (
  project_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  app_id text NOT NULL,
  product_id text NOT NULL,
  store_identifier text NOT NULL,
  -- Other products' sales may belong to this one now, or the other way round.
  is_renamed boolean NOT NULL,
  -- Customers up to this id are derived again.
  done_until text NOT NULL DEFAULT '',
  PRIMARY KEY (project_id, id)
);

CREATE FUNCTION mark_chart_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chart_product_changes (project_id, app_id, product_id, store_identifier, is_renamed)
  SELECT p.id, changed.app_id, changed.product_id, changed.store_identifier,
    TG_OP <> 'UPDATE' OR NEW.store_identifier <> OLD.store_identifier
  FROM projects p CROSS JOIN (
    SELECT OLD.app_id, OLD.id, OLD.store_identifier WHERE TG_OP <> 'INSERT'
    UNION SELECT NEW.app_id, NEW.id, NEW.store_identifier WHERE TG_OP <> 'DELETE'
  ) changed (app_id, product_id, store_identifier)
  WHERE p.id = coalesce(NEW.project_id, OLD.project_id) AND p.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM chart_facts f WHERE f.project_id = p.id);
  RETURN NULL;
END
$$;
DROP TRIGGER products_charted ON products;
DROP TRIGGER products_recharted ON products;
DROP FUNCTION rebuild_charts();
CREATE TRIGGER products_charted AFTER INSERT OR DELETE ON products
  FOR EACH ROW
  EXECUTE FUNCTION mark_chart_products();
CREATE TRIGGER products_recharted AFTER UPDATE OF duration, store_identifier ON products
  FOR EACH ROW
  WHEN ((OLD.duration, OLD.store_identifier) IS DISTINCT FROM (NEW.duration, NEW.store_identifier))
  EXECUTE FUNCTION mark_chart_products();
`;
