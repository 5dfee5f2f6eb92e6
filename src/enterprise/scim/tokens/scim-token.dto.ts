import { ApiProperty } from '@nestjs/swagger';
import { StringField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';

export class CreateScimTokenDto {
  @StringField({ min: 1, max: 100, example: 'Okta' })
  name: string;
}

export class ScimTokenDto {
  @ApiProperty({ enum: ['scim_token'] })
  object: 'scim_token';

  @ApiProperty({ type: String, example: 'sct_sx2k8v0a1b2c' })
  id: string;

  @ApiProperty({ type: String, example: 'Okta' })
  name: string;

  @ApiProperty({ type: String, example: 'rdscim_3f9a0c', description: 'The first characters of the token.' })
  prefix: string;

  @ApiProperty({ type: String, nullable: true, description: 'Id of the person who created it.' })
  created_by: string | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'To the minute, epoch milliseconds.' })
  last_used_at: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds; null while it works.' })
  revoked_at: number | null;
}

export class CreatedScimTokenDto extends ScimTokenDto {
  @ApiProperty({ type: String, description: 'The token itself, which is shown only here.' })
  token: string;

  @ApiProperty({
    type: String,
    example: 'https://tenure.example.com/scim/v2',
    description: 'The base URL or tenant URL to enter at the identity provider.',
  })
  base_url: string;
}

export class ScimTokenListDto extends listOf(ScimTokenDto) {}
