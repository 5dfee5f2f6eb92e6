import type { Dataset } from '../datasets/dataset.model.js';
import type { ExportDatasetDto } from './download.dto.js';

export function presentDataset({ name, version, incremental, columns }: Dataset): ExportDatasetDto {
  return {
    object: 'export_dataset',
    name,
    version,
    incremental,
    supported_until: null,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      optional: column.isNullable,
      description: column.description,
    })),
  };
}
