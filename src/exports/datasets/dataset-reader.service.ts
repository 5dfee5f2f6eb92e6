import { Injectable } from '@nestjs/common';
import type { Dataset, DatasetRange, Value } from './dataset.model.js';
import { BATCH, DatasetsRepository } from './datasets.repository.js';
import { attributesText, keyText, remembering } from './json-texts.js';
import type { ReportSnapshot } from '../../platform/database/connections/report-snapshots.service.js';

/** JSON that PostgreSQL stores in another order than files have. */
const conversions: Record<string, (json: string) => string> = {
  reserved_subscriber_attributes: attributesText,
  custom_subscriber_attributes: attributesText,
  reserved_attributes: attributesText,
  custom_attributes: attributesText,
  key: keyText,
};

/** Reads the rows of data sets in batches. */
@Injectable()
export class DatasetReaderService {
  constructor(private readonly repository: DatasetsRepository) {}

  /**
   * Returns rows in a stable order. A batch is valid until the next one is requested. A snapshot can have one reader at
   * a time.
   */
  async *read(
    snapshot: ReportSnapshot,
    projectId: string,
    { name, columns }: Dataset,
    range: DatasetRange,
  ): AsyncGenerator<Value[][]> {
    const converted = columns.flatMap((column, index) => {
      const convert = conversions[column.name];
      return convert ? [{ index, convert: remembering(convert) }] : [];
    });
    await this.repository.open(snapshot, projectId, name, range);
    for (let isLast = false; !isLast;) {
      const rows = await this.repository.fetch(snapshot);
      isLast = rows.length < BATCH;
      for (const row of rows) {
        for (const { index, convert } of converted) {
          const json = row[index];
          if (json) row[index] = convert(json);
        }
      }
      if (rows.length > 0) yield rows;
      // The driver's results refer to one another; without this, all rows would stay until a full garbage collection.
      rows.length = 0;
    }
    await this.repository.close(snapshot);
  }
}
