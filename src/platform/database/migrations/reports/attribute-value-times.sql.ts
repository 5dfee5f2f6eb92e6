/**
 * Devices send their attributes again and again, each time with a new time. It decides which of two writes is newer, so
 * it must change; reports show when the attribute got its value. Null: with the write of `updated_at_ms`.
 */
export const attributeValueTimes = `
ALTER TABLE customer_attributes ADD COLUMN value_since_ms bigint;

CREATE FUNCTION keep_attribute_value_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.value_since_ms := CASE WHEN NEW.value IS NOT DISTINCT FROM OLD.value
    THEN coalesce(OLD.value_since_ms, OLD.updated_at_ms) END;
  RETURN NEW;
END
$$;
CREATE TRIGGER customer_attributes_timed BEFORE UPDATE OF value, updated_at_ms ON customer_attributes
  FOR EACH ROW
  WHEN (CASE WHEN NEW.value IS NOT DISTINCT FROM OLD.value THEN NEW.updated_at_ms <> OLD.updated_at_ms
    ELSE OLD.value_since_ms IS NOT NULL END)
  EXECUTE FUNCTION keep_attribute_value_time();
`;
