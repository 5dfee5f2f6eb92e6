import { ApiProperty } from '@nestjs/swagger';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { BlockedBy } from './blocked-customers.repository.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ note: 'Stolen card' })
export class BlockCustomerByIdDto {
  @StringField({
    min: 0,
    max: 1000,
    optional: true,
    nullable: true,
    description: 'The reason, for the team.',
  })
  note?: string | null;
}

@BodyExample({ app_user_id: 'mallory', note: 'Stolen card' })
export class BlockCustomerDto extends BlockCustomerByIdDto {
  @StringField({ max: 1500, example: 'user-1', description: 'The customer need not exist yet.' })
  app_user_id: string;
}

class BlockedByDto {
  @ApiProperty({ enum: ['user', 'api_key', 'oauth_client', 'scim'] })
  type: BlockedBy['type'];

  @ApiProperty({ type: String, description: 'Id of the person, key, client or token.' })
  id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Set only for a user.' })
  email: string | null;
}

export class BlockedCustomerDto {
  @ApiProperty({ enum: ['blocked_customer'] })
  object: 'blocked_customer';

  @ApiProperty({ type: String, description: 'The app user id.' })
  id: string;

  @ApiProperty({ type: String })
  app_user_id: string;

  @ApiProperty({ type: String, nullable: true })
  note: string | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  blocked_at: number;

  @ApiProperty({ type: BlockedByDto })
  blocked_by: BlockedByDto;

  @ApiProperty({ type: Boolean, description: 'Whether a customer has this id.' })
  customer_exists: boolean;
}

export class BlockedCustomerListDto extends listOf(BlockedCustomerDto) {}

export class UnblockedCustomerDto extends deletedOf('blocked_customer') {}
