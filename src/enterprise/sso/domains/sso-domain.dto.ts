import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import { StringField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';

@BodyExample({ domain: 'example.com' })
export class AddSsoDomainDto {
  @StringField({
    max: 300,
    description:
      'A domain of the organization. Upper case, a leading `@` and a trailing dot do not matter; international names are stored as A-labels.',
    example: 'example.com',
  })
  domain: string;
}

export class TxtRecordDto {
  @ApiProperty({ enum: ['TXT'] })
  type: 'TXT';

  @ApiProperty({ type: String, example: '_service-sso.example.com' })
  name: string;

  @ApiProperty({ type: String, example: 'service-sso-verification=0123456789abcdef0123456789abcdef' })
  value: string;
}

export class SsoDomainDto {
  @ApiProperty({ enum: ['sso_domain'] })
  object: 'sso_domain';

  @ApiProperty({ type: String, example: 'example.com' })
  domain: string;

  @ApiProperty({ type: Boolean })
  verified: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  verified_at: number | null;

  @ApiProperty({ type: () => TxtRecordDto, description: 'The record to create, which proves the domain.' })
  txt_record: TxtRecordDto;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  last_checked_at: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['no_record', 'wrong_value', 'dns_error', null],
    description: 'Why the last check failed; null if it did not.',
  })
  last_error: 'no_record' | 'wrong_value' | 'dns_error' | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class FoundRecordsDto {
  @ApiProperty({ type: [String], description: 'The TXT records of the name at its name servers.' })
  txt: string[];
}

export class CheckedSsoDomainDto extends SsoDomainDto {
  @ApiProperty({ type: () => FoundRecordsDto })
  found: FoundRecordsDto;
}

export class SsoDomainListDto extends listOf(SsoDomainDto) {}

export class DeletedSsoDomainDto extends deletedOf('sso_domain') {}
