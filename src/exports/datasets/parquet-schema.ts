import type { ColumnType, Dataset } from './dataset.model.js';

interface ParquetType {
  type: 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'BYTE_ARRAY';
  converted_type?: 'UTF8' | 'TIMESTAMP_MILLIS';
  logical_type?: { type: 'TIMESTAMP'; isAdjustedToUTC: true; unit: 'MILLIS' } | { type: 'STRING' };
}

const text: ParquetType = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
};
const types: Record<ColumnType, ParquetType> = {
  text,
  json: text,
  boolean: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  decimal: { type: 'DOUBLE' },
  micros: { type: 'INT64' },
  integer: { type: 'INT64' },
};

export interface ParquetElement extends Partial<ParquetType> {
  name: string;
  num_children?: number;
  repetition_type?: 'REQUIRED' | 'OPTIONAL';
}

/** The schema of a data set's files: the root, then its columns. */
export function parquetSchema({ columns }: Dataset): ParquetElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type, isNullable }): ParquetElement => ({
      name,
      repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED',
      ...types[type],
    })),
  ];
}
