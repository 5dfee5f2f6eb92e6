const attribution = `'$mediaSource', '$campaign', '$adGroup', '$ad', '$keyword', '$creative'`;
/** Other reserved names mark nothing: SDKs send them all the time. */
const canBeChosen = `(left(NEW.name, 1) <> '$' OR NEW.name IN ('$appleAdsCampaignId', '$appleAdsAdGroupId',
    '$appleAdsKeywordId', '$iterableCampaignId', '$iterableTemplateId', '$attConsentStatus'))`;

/** The attributes that a project chose are dimensions of its charts. */
export const chartAttributes = `
ALTER TABLE projects ADD COLUMN chart_attributes text[] NOT NULL DEFAULT '{}';

-- Values of chosen attributes, by name. Null: the customer has none, or the project chose none.
ALTER TABLE chart_dims ADD COLUMN attributes jsonb;

-- The values that charts tell apart, as hashes: a value can be long, and says something about a person.
CREATE TABLE chart_attribute_values (
  project_id text NOT NULL,
  name text NOT NULL,
  value_hash uuid NOT NULL,
  PRIMARY KEY (project_id, name, value_hash)
);

CREATE FUNCTION mark_chosen_attributes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chart_changes (project_id, customer_id, changed_at)
  SELECT p.id, NEW.customer_id, now() FROM projects p
  WHERE p.id = NEW.project_id AND NEW.name = ANY (p.chart_attributes);
  RETURN NULL;
END
$$;
CREATE TRIGGER customer_attributes_chosen AFTER INSERT ON customer_attributes
  FOR EACH ROW
  WHEN (NEW.value IS NOT NULL AND ${canBeChosen})
  EXECUTE FUNCTION mark_chosen_attributes();
CREATE TRIGGER customer_attributes_rechosen AFTER UPDATE OF value ON customer_attributes
  FOR EACH ROW
  WHEN (NEW.value IS DISTINCT FROM OLD.value AND ${canBeChosen})
  EXECUTE FUNCTION mark_chosen_attributes();

-- The same of attribution: a value that is only sent again changes nothing.
DROP TRIGGER customer_attributes_charted ON customer_attributes;
CREATE TRIGGER customer_attributes_charted AFTER INSERT ON customer_attributes
  FOR EACH ROW
  WHEN (NEW.value IS NOT NULL AND NEW.name IN (${attribution}))
  EXECUTE FUNCTION mark_chart_attributes();
CREATE TRIGGER customer_attributes_recharted AFTER UPDATE OF value ON customer_attributes
  FOR EACH ROW
  WHEN (NEW.value IS DISTINCT FROM OLD.value AND NEW.name IN (${attribution}))
  EXECUTE FUNCTION mark_chart_attributes();

CREATE FUNCTION rebuild_charts_of_attributes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chart_rebuilds (project_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER projects_recharted AFTER UPDATE OF chart_attributes ON projects
  FOR EACH ROW
  WHEN (OLD.chart_attributes IS DISTINCT FROM NEW.chart_attributes AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION rebuild_charts_of_attributes();
`;
