import { ApiProperty } from '@nestjs/swagger';
import { isTimeZone } from '../../insights/digests/digest-schedule.policy.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  BooleanField,
  EnumField,
  IntField,
  ObjectArrayField,
  ObjectField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import {
  type DatasetEnvironment,
  datasetEnvironments,
  type FileFormat,
  fileFormats,
} from '../datasets/dataset.model.js';
import {
  type ExportedDataset,
  exportedDatasets,
  type ExportMode,
  exportModes,
  exportStates,
} from './export.model.js';
import { type Frequency, frequencies, type Weekday, weekdays } from './export-schedule.js';
import { ExportRunDto } from './runs/export-run.dto.js';

const optional = true;
const nullable = true;
const TIME = 'Epoch milliseconds.';

export class ExportedDatasetDto {
  @EnumField(exportedDatasets)
  name: ExportedDataset;

  @IntField({ min: 1, max: 1000, description: 'One that `GET …/exports/datasets` lists.' })
  version: number;
}

export class ExportScheduleDto {
  @EnumField(frequencies, { description: '`manual`: only on request. `hourly`: at every full hour.' })
  frequency: Frequency;

  @EnumField(weekdays, { optional, description: 'Of a weekly schedule.' })
  weekday?: Weekday;

  @IntField({ min: 1, max: 28, optional, description: 'Of a monthly schedule.' })
  day?: number;

  @StringField({
    max: 5,
    optional,
    pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
    patternText: 'must be a time of day such as 03:00',
    description: 'Local time in `time_zone`, except of an hourly schedule.',
    example: '03:00',
  })
  at?: string;

  @StringField({
    max: 100,
    optional,
    accepts: isTimeZone,
    patternText: 'must be the name of a time zone, such as Europe/Berlin',
    description: 'Name in the IANA database.',
    example: 'Europe/Berlin',
  })
  time_zone?: string;
}

const fields = {
  name: { max: 60, example: 'Warehouse, every night' },
  destination_id: { max: 100, description: 'An export destination.', example: 'exd_0mb3x1c9a5k2v7pq' },
  datasets: {
    min: 1,
    max: exportedDatasets.length,
    description: 'Each at most once. Incremental runs add `deletions`.',
  },
  format: { description: 'CSV is compressed with gzip.' },
  mode: {
    description:
      '`incremental` delivers new and changed rows since the last successful run, `full` every row each time. ' +
      'Default: incremental.',
  },
  environment: { description: 'Purchases that are delivered. Default: production.' },
  spreadsheet_safe: {
    description: 'Put an apostrophe before text that a spreadsheet would run as a formula. Default: false.',
  },
  state: { description: 'A paused export runs only on request. Default: active.' },
} as const;

const nightly = { frequency: 'daily', at: '03:00', time_zone: 'Europe/Berlin' };

@BodyExample({
  name: 'Warehouse, every night',
  destination_id: 'exd_0mb3x1c9a5k2v7pq',
  datasets: [{ name: 'transactions', version: 5 }],
  format: 'csv',
  schedule: nightly,
})
export class CreateExportDto {
  @StringField(fields.name)
  name: string;

  @StringField(fields.destination_id)
  destination_id: string;

  @ObjectArrayField(() => ExportedDatasetDto, fields.datasets)
  datasets: ExportedDatasetDto[];

  @EnumField(fileFormats, fields.format)
  format: FileFormat;

  @EnumField(exportModes, { ...fields.mode, optional })
  mode?: ExportMode;

  @ObjectField(() => ExportScheduleDto)
  schedule: ExportScheduleDto;

  @EnumField(datasetEnvironments, { ...fields.environment, optional })
  environment?: DatasetEnvironment;

  @BooleanField({ ...fields.spreadsheet_safe, optional })
  spreadsheet_safe?: boolean;

  @EnumField(exportStates, { ...fields.state, optional })
  state?: 'active' | 'paused';
}

/** Absent fields do not change. */
@BodyExample({ state: 'paused' })
export class UpdateExportDto {
  @StringField({ ...fields.name, optional })
  name?: string;

  @StringField({ ...fields.destination_id, optional })
  destination_id?: string;

  @ObjectArrayField(() => ExportedDatasetDto, { ...fields.datasets, optional })
  datasets?: ExportedDatasetDto[];

  @EnumField(fileFormats, { ...fields.format, optional })
  format?: FileFormat;

  @EnumField(exportModes, { ...fields.mode, optional })
  mode?: ExportMode;

  @ObjectField(() => ExportScheduleDto, { optional })
  schedule?: ExportScheduleDto;

  @EnumField(datasetEnvironments, { ...fields.environment, optional })
  environment?: DatasetEnvironment;

  @BooleanField({ ...fields.spreadsheet_safe, optional })
  spreadsheet_safe?: boolean;

  @EnumField(exportStates, { ...fields.state, optional })
  state?: 'active' | 'paused';
}

export class ExportCursorDto {
  @ApiProperty({
    type: 'integer',
    nullable,
    description: `Until when the last successful run delivered; null before the first and after a reset. ${TIME}`,
  })
  at: number | null;
}

export class ExportDto {
  @ApiProperty({ enum: ['export'] })
  object: 'export';

  @ApiProperty({ type: String, example: 'exp_0mb3x1c9a5k2v7pq' })
  id: string;

  @ApiProperty({ type: String, example: fields.name.example })
  name: string;

  @ApiProperty({ type: String, example: fields.destination_id.example })
  destination_id: string;

  @ApiProperty({ type: [ExportedDatasetDto] })
  datasets: ExportedDatasetDto[];

  @ApiProperty({ enum: fileFormats })
  format: FileFormat;

  @ApiProperty({ enum: exportModes })
  mode: ExportMode;

  @ApiProperty({ type: ExportScheduleDto })
  schedule: ExportScheduleDto;

  @ApiProperty({ enum: datasetEnvironments })
  environment: DatasetEnvironment;

  @ApiProperty({ type: Boolean })
  spreadsheet_safe: boolean;

  @ApiProperty({ enum: exportStates })
  state: 'active' | 'paused';

  @ApiProperty({
    type: 'integer',
    nullable,
    description: `Null while it is paused or runs only on request. ${TIME}`,
  })
  next_run_at: number | null;

  @ApiProperty({ type: ExportRunDto, nullable, description: 'The newest run, also one that has not ended.' })
  last_run: ExportRunDto | null;

  @ApiProperty({ type: 'integer', description: 'Failed runs since the last successful one.' })
  consecutive_failures: number;

  @ApiProperty({ type: ExportCursorDto })
  cursor: ExportCursorDto;

  @ApiProperty({ type: 'integer', description: TIME })
  created_at: number;

  @ApiProperty({ type: 'integer', description: TIME })
  updated_at: number;
}

export class ExportListDto extends listOf(ExportDto) {}

export class DeletedExportDto extends deletedOf('export') {}
