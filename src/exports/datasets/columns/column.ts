import type { ColumnType, DatasetColumn } from '../dataset.model.js';

/** A column without nulls. */
export function column(name: string, type: ColumnType, description: string): DatasetColumn {
  return { name, type, isNullable: false, description };
}

/** A column that may be null. */
export function nullable(name: string, type: ColumnType, description: string): DatasetColumn {
  return { name, type, isNullable: true, description };
}
