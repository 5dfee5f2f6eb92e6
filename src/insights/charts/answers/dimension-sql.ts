import { attributeOf } from '../definitions/attribute-dimensions.js';
import type { DimensionColumn } from '../definitions/dimensions.js';
import type { SqlValues } from './sql-values.js';

/** The value of a dimension of a row of `chart_dims`. Attribute names are user input, so they are parameters. */
export function dimensionSql(alias: string, column: DimensionColumn, values: SqlValues): string {
  const attribute = attributeOf(column);
  return attribute === null
    ? `${alias}.${column}`
    : `coalesce(${alias}.attributes ->> ${values.add(attribute)}::text, '')`;
}
