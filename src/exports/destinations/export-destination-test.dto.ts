import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { EnumField, StringField } from '../../platform/http/bodies/fields.js';
import { type DestinationKind, destinationKinds } from './destination-settings.js';
import { exampleSettings, kindField, prefixField, SettingsByKind } from './export-destination.dto.js';

const optional = true;

@BodyExample({ kind: 's3', prefix: 'tenure', s3: exampleSettings })
export class TestExportDestinationDto extends SettingsByKind {
  @EnumField(destinationKinds, kindField)
  kind: DestinationKind;

  @StringField({ ...prefixField, optional })
  prefix?: string;
}

export class ExportDestinationTestStepDto {
  @ApiProperty({ enum: ['write', 'read', 'delete'] })
  name: 'write' | 'read' | 'delete';

  @ApiProperty({ type: Boolean })
  ok: boolean;

  @ApiProperty({ type: 'integer' })
  duration_ms: number;

  @ApiProperty({
    type: String,
    required: false,
    description: 'Of a failed step, as the code of a failed run.',
  })
  code?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'Of a failed step: a sentence without secrets.',
  })
  message?: string;
}

export class ExportDestinationTestDto {
  @ApiProperty({ enum: ['export_destination_test'] })
  object: 'export_destination_test';

  @ApiProperty({ type: Boolean, description: 'Also true if the file was written and read, but not deleted.' })
  ok: boolean;

  @ApiProperty({
    type: [ExportDestinationTestStepDto],
    description: 'In this order. A failure to write or read ends the test.',
  })
  steps: ExportDestinationTestStepDto[];

  @ApiProperty({
    type: String,
    required: false,
    description:
      'The key of an SFTP server, if `host_key` is missing or is another key. Nothing was written then.',
  })
  seen_host_key?: string;
}
