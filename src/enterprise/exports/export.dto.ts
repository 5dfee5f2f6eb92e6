import { ApiProperty } from '@nestjs/swagger';
import { ChoiceParameter, TimeParameter } from '../../platform/http/lists/query-parameters.js';
import { type ExportFormat, exportFormats } from './export-format.js';

export const exportKinds = ['audit_logs', 'access_review'] as const;
export type ExportKind = (typeof exportKinds)[number];

export class ExportQuery {
  @ChoiceParameter(exportFormats, { default: 'csv', description: 'Default `csv`.' })
  format: ExportFormat;

  @TimeParameter({ description: 'Audit logs only: start of the range (inclusive), epoch milliseconds.' })
  start_time: Date | null;

  @TimeParameter({ description: 'Audit logs only: end of the range (exclusive), epoch milliseconds.' })
  end_time: Date | null;
}

export class ExportSigningKeyDto {
  @ApiProperty({ enum: ['export_signing_key'] })
  object: 'export_signing_key';

  @ApiProperty({ enum: ['Ed25519'] })
  algorithm: 'Ed25519';

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The 32 bytes in base64; null if exports are not signed.',
    example: 'pDnYnCeYrF6UYbNyj3a7H3JYB1aYW5X1x0m8nGZqT0A=',
  })
  public_key: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first 16 hexadecimal digits of the SHA-256 of the key.',
    example: '3b5d5c3712955042',
  })
  key_id: string | null;

  @ApiProperty({ type: String, description: 'The bytes that a signature covers.' })
  signs: string;
}
