import { ApiProperty } from '@nestjs/swagger';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import { TextParameter } from '../../../platform/http/lists/query-parameters.js';

export class ListedAuthIdentityDto {
  @ApiProperty({ enum: ['auth_identity'] })
  object: 'auth_identity';

  @ApiProperty({ type: String, example: 'idp_sx2k8v0a1b2c' })
  provider_id: string;

  @ApiProperty({ type: String, description: '`sub` of the ID tokens.' })
  subject: string;

  @ApiProperty({ type: String })
  app_user_id: string;

  @ApiProperty({ type: 'integer', description: 'How often this person has signed in.' })
  logins: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  last_login_at: number;

  @ApiProperty({ type: 'integer', description: 'First sign-in, epoch milliseconds.' })
  created_at: number;
}

class IdentityEntitlementDto {
  @ApiProperty({ type: String })
  lookup_key: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds; null if it never ends.' })
  expires_at: number | null;
}

export class IdentityBalanceDto {
  @ApiProperty({ type: 'integer' })
  balance: number;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String, example: 'GLD' })
  code: string;
}

export class AuthIdentityDto extends ListedAuthIdentityDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The customer who has the app user id; null if there is none.',
  })
  customer_id: string | null;

  @ApiProperty({ type: [IdentityEntitlementDto] })
  active_entitlements: IdentityEntitlementDto[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/IdentityBalanceDto' },
    description: 'Balances by currency code.',
  })
  virtual_currencies: Record<string, IdentityBalanceDto>;
}

export class AuthIdentityListDto extends listOf(ListedAuthIdentityDto) {}

export class DeletedAuthIdentityDto extends deletedOf('auth_identity') {}

export class ListAuthIdentitiesQuery extends PageQuery {
  @TextParameter({ description: 'Only identities of this provider.' })
  provider_id: string | null;

  @TextParameter({ description: 'Only identities with this subject.' })
  subject: string | null;

  @TextParameter({
    description: 'Only identities of the customer with this app user id, under any id of theirs.',
  })
  app_user_id: string | null;
}
