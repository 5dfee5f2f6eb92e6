import { ApiProperty } from '@nestjs/swagger';
import { ListedCustomerDto } from '../../customers/customers/identity/customer.dto.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { type CustomerStatus, customerStatuses } from './customer-filters.query.js';

export class FilteredCustomerDto extends ListedCustomerDto {
  @ApiProperty({ type: String, nullable: true, description: 'The attribute `$email`.' })
  email: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The attribute `$displayName`.' })
  display_name: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The country that a device sent last; without one, that of the newest purchase.',
  })
  country: string | null;

  @ApiProperty({ enum: ['device', 'purchase'], nullable: true, description: 'Where `country` comes from.' })
  country_source: 'device' | 'purchase' | null;

  @ApiProperty({ enum: customerStatuses, isArray: true, description: 'In the environment of the list.' })
  statuses: CustomerStatus[];

  @ApiProperty({ type: [String], description: 'Stores of the purchases in the environment of the list.' })
  stores: string[];

  @ApiProperty({ type: Number, description: 'Gross, refunds subtracted, in the environment of the list.' })
  spent_in_usd: number;
}

export class FilteredCustomerListDto extends listOf(FilteredCustomerDto) {
  @ApiProperty({
    type: Boolean,
    description: 'False for a while after an upgrade, until all earlier customers are in lists with filters.',
  })
  is_complete: boolean;
}

export class CustomerCountDto {
  @ApiProperty({ enum: ['customer_count'] })
  object: 'customer_count';

  @ApiProperty({ type: 'integer', description: 'At most 10000.' })
  count: number;

  @ApiProperty({ type: Boolean, description: 'False: there are more than 10000.' })
  is_exact: boolean;

  @ApiProperty({ type: Boolean, description: 'As in the list.' })
  is_complete: boolean;
}
