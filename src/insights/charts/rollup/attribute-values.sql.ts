import { longStatement, statement } from '../../../platform/database/statement.js';

export const forgetValues = statement(
  'charts.forget_attribute_values',
  'DELETE FROM chart_attribute_values WHERE project_id = $1',
);

/** The $2 most common values of each chosen attribute, except $3. */
export const commonValues = longStatement(
  'charts.common_attribute_values',
  `INSERT INTO chart_attribute_values (project_id, name, value_hash)
   SELECT $1, r.name, r.value_hash FROM (
     SELECT a.name, md5(a.value)::uuid AS value_hash,
       row_number() OVER (PARTITION BY a.name ORDER BY count(*) DESC, a.value COLLATE "C") AS place
     FROM projects p JOIN customer_attributes a ON a.project_id = p.id AND a.name = ANY (p.chart_attributes)
     WHERE p.id = $1 AND a.project_id = $1 AND a.value NOT IN ('', $3) GROUP BY a.name, a.value
   ) r WHERE r.place <= $2`,
);

/**
 * Selects which values ($2: names, $3: values) are counted separately. New values are added while their attribute has
 * fewer than $4. Only a rebuild removes values, so that all customers with the same value are treated alike.
 */
export const knownValues = statement(
  'charts.known_attribute_values',
  `WITH asked AS (
     SELECT DISTINCT a.name, a.value, md5(a.value)::uuid AS value_hash
     FROM unnest($2::text[], $3::text[]) AS a (name, value)
   ), fresh AS (
     SELECT a.*, row_number() OVER (PARTITION BY a.name ORDER BY a.value COLLATE "C") AS place
     FROM asked a WHERE NOT EXISTS (SELECT 1 FROM chart_attribute_values v
       WHERE v.project_id = $1 AND v.name = a.name AND v.value_hash = a.value_hash)
   ), added AS (
     INSERT INTO chart_attribute_values (project_id, name, value_hash)
     SELECT $1, f.name, f.value_hash FROM fresh f WHERE f.place <= $4 - (
       SELECT count(*) FROM chart_attribute_values v WHERE v.project_id = $1 AND v.name = f.name)
     RETURNING name, value_hash
   )
   SELECT a.name, a.value FROM asked a
   WHERE EXISTS (SELECT 1 FROM added d WHERE d.name = a.name AND d.value_hash = a.value_hash)
     OR EXISTS (SELECT 1 FROM chart_attribute_values v
       WHERE v.project_id = $1 AND v.name = a.name AND v.value_hash = a.value_hash)`,
);

/** Deletes combinations that no customer has any more, because a value may be personal data. */
export const forgetDims = longStatement(
  'charts.forget_attribute_dims',
  `DELETE FROM chart_dims k WHERE k.project_id = $1 AND k.level = 'customer' AND k.attributes IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM chart_customers c WHERE c.project_id = $1 AND c.customer_dims_id = k.id)
     AND NOT EXISTS (SELECT 1 FROM chart_customers c WHERE c.project_id = $1 AND c.sandbox_dims_id = k.id)`,
);
