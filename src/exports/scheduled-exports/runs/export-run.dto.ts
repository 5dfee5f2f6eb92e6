import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { EnumField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { type DatasetName, datasetNames } from '../../datasets/dataset.model.js';
import { type ExportMode, exportModes } from '../export.model.js';
import {
  type ModeReason,
  modeReasons,
  type RunErrorCode,
  runErrorCodes,
  type RunState,
  runStates,
  type RunTrigger,
  runTriggers,
} from './export-run.model.js';

const nullable = true;
const TIME = 'Epoch milliseconds.';

@BodyExample({ mode: 'full' })
export class RequestExportRunDto {
  @EnumField(exportModes, { optional: true, description: 'Default: the mode of the export.' })
  mode?: ExportMode;
}

export class ExportRunFileDto {
  @ApiProperty({ enum: datasetNames })
  dataset: DatasetName;

  @ApiProperty({ type: String, example: 'acme/2026-11-27/transactions_1795748400.csv.gz' })
  key: string;

  @ApiProperty({ type: 'integer' })
  rows: number;

  @ApiProperty({ type: 'integer', description: 'Of the stored file.' })
  bytes: number;

  @ApiProperty({ type: String, description: 'Of the stored file, in hexadecimal.' })
  sha256: string;
}

export class ExportRunErrorDto {
  @ApiProperty({ enum: runErrorCodes })
  code: RunErrorCode;

  @ApiProperty({ type: String, description: 'A sentence without secrets.' })
  message: string;
}

export class ExportRunDto {
  @ApiProperty({ enum: ['export_run'] })
  object: 'export_run';

  @ApiProperty({ type: String, example: 'exr_0mb3x1c9a5k2v7pq' })
  id: string;

  @ApiProperty({ type: String, example: 'exp_0mb3x1c9a5k2v7pq' })
  export_id: string;

  @ApiProperty({
    enum: runStates,
    description:
      '`preparing`: waits for changes that are not in the rows yet. `writing`: nothing is visible at the destination. ' +
      '`completing`: files become visible, the manifest last.',
  })
  state: RunState;

  @ApiProperty({ enum: runTriggers, description: '`manual`: from the dashboard.' })
  trigger: RunTrigger;

  @ApiProperty({ enum: exportModes, description: '`full` if every data set was delivered in full.' })
  mode: ExportMode;

  @ApiProperty({
    enum: modeReasons,
    nullable,
    description:
      'Why an incremental export delivered a data set in full. Null for a run that is full by choice.',
  })
  mode_reason: ModeReason | null;

  @ApiProperty({ type: 'integer', description: 'From 1, at most 3; 0 before the first.' })
  attempt: number;

  @ApiProperty({ type: 'integer', nullable, description: `When the data was read. ${TIME}` })
  snapshot_at: number | null;

  @ApiProperty({ type: 'integer', nullable, description: `Until when everything is included. ${TIME}` })
  data_until: number | null;

  @ApiProperty({ type: 'integer', nullable, description: TIME })
  started_at: number | null;

  @ApiProperty({ type: 'integer', nullable, description: TIME })
  finished_at: number | null;

  @ApiProperty({ type: 'integer', description: 'So far, while the run is in progress.' })
  rows: number;

  @ApiProperty({ type: 'integer' })
  bytes: number;

  @ApiProperty({ type: [ExportRunFileDto] })
  files: ExportRunFileDto[];

  @ApiProperty({ type: [String], description: 'Leftovers that could not be removed, as sentences.' })
  warnings: string[];

  @ApiProperty({ type: ExportRunErrorDto, nullable, description: 'Of the last failed attempt.' })
  error: ExportRunErrorDto | null;

  @ApiProperty({ type: 'integer', description: TIME })
  created_at: number;
}

export class ExportRunListDto extends listOf(ExportRunDto) {}
