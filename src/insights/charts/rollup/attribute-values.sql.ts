import { longStatement, statement } from '../../../platform/database/statement.js';

export const forgetValues = statement(
  'charts.forget_attribute_values',
  'DELETE FROM chart_attribute_values WHERE project_id = $1',
);

/** Stores the $2 most common values of each chosen attribute ($4), except $3. */
export const commonValues = longStatement(
  'charts.common_attribute_values',
  `INSERT INTO chart_attribute_values (project_id, name, value_hash)
   SELECT c.project_id, r.name, r.value_hash FROM chart_projects c CROSS JOIN (
     SELECT a.name, md5(a.value)::uuid AS value_hash,
       row_number() OVER (PARTITION BY a.name ORDER BY count(*) DESC, a.value COLLATE "C") AS place
     FROM customer_attributes a
     WHERE a.project_id = $1 AND a.name = ANY ($4::text[]) AND a.value NOT IN ('', $3) GROUP BY a.name, a.value
   ) r WHERE c.project_id = $1 AND r.place <= $2`,
);

const asked = `(SELECT DISTINCT a.name, a.value, md5(a.value)::uuid AS value_hash
     FROM unnest($2::text[], $3::text[]) AS a (name, value)) a`;
const isKnown = `EXISTS (SELECT 1 FROM chart_attribute_values v
       WHERE v.project_id = $1 AND v.name = a.name AND v.value_hash = a.value_hash)`;

/**
 * Adds new values ($2: names, $3: values) while their attribute has fewer than $4. Only a rebuild removes values, so that
 * all customers with the same value are treated alike.
 */
export const addValues = statement(
  'charts.add_attribute_values',
  `INSERT INTO chart_attribute_values (project_id, name, value_hash)
   SELECT c.project_id, f.name, f.value_hash FROM chart_projects c CROSS JOIN (
     SELECT a.*, row_number() OVER (PARTITION BY a.name ORDER BY a.value COLLATE "C") AS place
     FROM ${asked} WHERE NOT ${isKnown}
   ) f WHERE c.project_id = $1 AND f.place <= $4 - (
     SELECT count(*) FROM chart_attribute_values v WHERE v.project_id = $1 AND v.name = f.name)`,
);

/** Selects those of some values ($2: names, $3: values) that are counted separately. */
export const knownValues = statement(
  'charts.known_attribute_values',
  `SELECT a.name, a.value FROM ${asked} WHERE ${isKnown}`,
);

/** Deletes combinations that no customer has any more, because a value may be personal data. */
export const forgetDims = longStatement(
  'charts.forget_attribute_dims',
  `DELETE FROM chart_dims k WHERE k.project_id = $1 AND k.level = 'customer' AND k.attributes IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM chart_customers c WHERE c.project_id = $1 AND c.customer_dims_id = k.id)
     AND NOT EXISTS (SELECT 1 FROM chart_customers c WHERE c.project_id = $1 AND c.sandbox_dims_id = k.id)`,
);
