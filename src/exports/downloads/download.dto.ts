import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../platform/http/lists/list.dto.js';
import {
  BooleanParameter,
  ChoiceParameter,
  IntParameter,
  TimeParameter,
} from '../../platform/http/lists/query-parameters.js';
import {
  type ColumnType,
  columnTypes,
  type DatasetEnvironment,
  datasetEnvironments,
  type DatasetName,
  datasetNames,
  type FileFormat,
  fileFormats,
} from '../datasets/dataset.model.js';

export class DownloadQuery {
  @ChoiceParameter(datasetNames, { required: true, description: 'The data set.' })
  dataset: DatasetName;

  @IntParameter({ min: 1, max: 1000, default: null, description: 'Default: the newest version.' })
  version: number | null;

  @ChoiceParameter(fileFormats, {
    default: 'csv',
    description: 'Default `csv`, which is compressed with gzip.',
  })
  format: FileFormat;

  @ChoiceParameter(datasetEnvironments, {
    default: 'production',
    description: 'Default `production`. Customers and deletions have no environment.',
  })
  environment: DatasetEnvironment;

  @TimeParameter({
    description:
      'Only rows that changed after this time, epoch milliseconds. Events and ledger entries: recorded at or after it.',
  })
  updated_after: Date | null;

  @BooleanParameter({
    default: true,
    description:
      'CSV: put an apostrophe before text that a spreadsheet would run as a formula. Default true; use false for other programs.',
  })
  spreadsheet_safe: boolean;
}

export class DatasetColumnDto {
  @ApiProperty({ type: String, example: 'price_in_usd' })
  name: string;

  @ApiProperty({
    enum: [...columnTypes],
    description: '`decimal`: money and shares. `micros`: millionths of a currency unit.',
  })
  type: ColumnType;

  @ApiProperty({ type: Boolean, description: 'Whether rows may have no value in the column.' })
  optional: boolean;

  @ApiProperty({ type: String, example: 'The price in USD minus refunds; null if it is unknown.' })
  description: string;
}

export class ExportDatasetDto {
  @ApiProperty({ enum: ['export_dataset'] })
  object: 'export_dataset';

  @ApiProperty({ enum: [...datasetNames] })
  name: DatasetName;

  @ApiProperty({ type: 'integer', example: 5 })
  version: number;

  @ApiProperty({
    enum: ['change', 'time'],
    description: '`change`: an incremental file has new and changed rows. `time`: rows never change.',
  })
  incremental: 'change' | 'time';

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Until when an older version is served, epoch milliseconds; null for the newest.',
  })
  supported_until: number | null;

  @ApiProperty({ type: [DatasetColumnDto], description: 'In the order of files.' })
  columns: DatasetColumnDto[];
}

export class ExportDatasetListDto extends listOf(ExportDatasetDto) {}
