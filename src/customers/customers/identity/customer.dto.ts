import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import { ExpandParameter, TextParameter } from '../../../platform/http/lists/query-parameters.js';

export class ActiveEntitlementDto {
  @ApiProperty({ enum: ['customer.active_entitlement'] })
  object: 'customer.active_entitlement';

  @ApiProperty({ type: String, example: 'entl5xk2q7m1aa' })
  entitlement_id: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds; null if it never ends.' })
  expires_at: number | null;
}

export class ActiveEntitlementListDto extends listOf(ActiveEntitlementDto) {}

export class CustomerAttributeDto {
  @ApiProperty({ enum: ['customer.attribute'] })
  object: 'customer.attribute';

  @ApiProperty({ type: String, example: '$email' })
  name: string;

  @ApiProperty({ type: String, nullable: true })
  value: string | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class CustomerAttributeListDto extends listOf(CustomerAttributeDto) {}

export class ListedCustomerDto {
  @ApiProperty({ enum: ['customer'] })
  object: 'customer';

  @ApiProperty({ type: String, description: 'Original app user id of the customer.' })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  first_seen_at: number;

  @ApiProperty({ type: 'integer', nullable: true })
  last_seen_at: number | null;

  @ApiProperty({ type: String, nullable: true })
  last_seen_app_version: string | null;

  @ApiProperty({ type: String, nullable: true })
  last_seen_country: string | null;

  @ApiProperty({ type: String, nullable: true })
  last_seen_platform: string | null;

  @ApiProperty({ type: String, nullable: true })
  last_seen_platform_version: string | null;
}

export class CustomerListDto extends listOf(ListedCustomerDto) {}

class CustomerExperimentDto {
  @ApiProperty({ enum: ['experiment_enrollment'] })
  object: 'experiment_enrollment';

  @ApiProperty({ type: String, description: 'Id of the experiment.' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ enum: ['a', 'b', 'c', 'd'] })
  variant: 'a' | 'b' | 'c' | 'd';
}

export class CustomerDto extends ListedCustomerDto {
  @ApiProperty({ type: ActiveEntitlementListDto })
  active_entitlements: ActiveEntitlementListDto;

  @ApiProperty({
    type: CustomerExperimentDto,
    nullable: true,
    description: 'The experiment that the customer is in, else the latest one they were in.',
  })
  experiment: CustomerExperimentDto | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The test clock that the customer is attached to; null if none.',
  })
  test_clock_id: string | null;

  @ApiProperty({
    type: CustomerAttributeListDto,
    required: false,
    description: 'Only with `expand=attributes`.',
  })
  attributes?: CustomerAttributeListDto;
}

export class CustomerAliasDto {
  @ApiProperty({ enum: ['customer.alias'] })
  object: 'customer.alias';

  @ApiProperty({ type: String, description: 'An app user id.' })
  id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class CustomerAliasListDto extends listOf(CustomerAliasDto) {}

export class ListCustomersQuery extends PageQuery {
  @TextParameter({
    max: 255,
    minLength: 1,
    maxLength: 255,
    description:
      'Only customers with exactly this app user id, email address (`$email`, in any case), or transaction id, original transaction id, order id or token of a store.',
  })
  search: string | null;
}

export class GetCustomerQuery {
  @ExpandParameter(['attributes'])
  expand: ReadonlySet<string>;
}
