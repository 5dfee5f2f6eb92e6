import { ApiProperty } from '@nestjs/swagger';
import { allPermissions } from '../../platform/principal/permissions.js';
import { StringArrayField, StringField } from '../../platform/http/bodies/fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

const MAX_PERMISSIONS = 2 * allPermissions.length;

@BodyExample({ name: 'Backend', permissions: ['customer_information:*'] })
export class CreateApiKeyDto {
  @StringField({ max: 255, example: 'Backend' })
  name: string;

  @StringArrayField({
    min: 1,
    max: MAX_PERMISSIONS,
    itemMax: 100,
    optional: true,
    description:
      'Permissions, `*`, `<group>:*`, `<group>:*:read` or `<group>:*:read_write`. Default: everything the ' +
      'caller holds. Permissions that the caller lacks are refused.',
    example: ['customer_information:*'],
  })
  permissions?: string[];
}

export class ApiKeyDto {
  @ApiProperty({ enum: ['api_key'] })
  object: 'api_key';

  @ApiProperty({ type: String, example: 'key_sx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String, description: 'First characters of the key.', example: 'sk_9f1c' })
  prefix: string;

  @ApiProperty({ type: [String], example: ['*'] })
  permissions: string[];

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Epoch milliseconds, to the minute; null if never used.',
  })
  last_used_at: number | null;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @ApiProperty({ type: String, description: 'The key itself, which is returned only once.' })
  key: string;
}

export class ApiKeyListDto {
  @ApiProperty({ enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [ApiKeyDto] })
  items: ApiKeyDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Path of the next page; null on the last.' })
  next_page: string | null;

  @ApiProperty({ type: String })
  url: string;
}

export class DeletedApiKeyDto {
  @ApiProperty({ enum: ['api_key'] })
  object: 'api_key';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  deleted_at: number;
}
