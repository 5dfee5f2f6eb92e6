import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import { EnumField, JsonObjectField, StringField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { type CustomerSort, customerSorts } from '../customer-filters.query.js';

const filters = {
  description:
    'Filters by name, with values as in the query of `listFilteredCustomers`: `{"status": "trial", "country": "DE"}`.',
} as const;
const orders = ['asc', 'desc'] as const;

@BodyExample({ display_name: 'Trials in Germany', filters: { status: 'trial', country: 'DE' } })
export class CreateCustomerListDto {
  @StringField({ max: 255, example: 'Trials in Germany' })
  display_name: string;

  @JsonObjectField(filters)
  filters: Record<string, unknown>;

  @EnumField(customerSorts, { optional: true, description: 'Default: last_seen.' })
  sort?: CustomerSort;

  @EnumField(orders, { optional: true, description: 'Default: desc.' })
  order?: 'asc' | 'desc';
}

@BodyExample({ display_name: 'Trials in Germany and Austria' })
export class UpdateCustomerListDto {
  @StringField({ max: 255, optional: true })
  display_name?: string;

  @JsonObjectField({ ...filters, optional: true })
  filters?: Record<string, unknown>;

  @EnumField(customerSorts, { optional: true })
  sort?: CustomerSort;

  @EnumField(orders, { optional: true })
  order?: 'asc' | 'desc';
}

export class SavedCustomerListDto {
  @ApiProperty({ enum: ['customer_list'] })
  object: 'customer_list';

  @ApiProperty({ type: String, example: 'clstx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, ...filters })
  filters: Record<string, string>;

  @ApiProperty({ enum: customerSorts })
  sort: CustomerSort;

  @ApiProperty({ enum: orders })
  order: 'asc' | 'desc';

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class SavedCustomerListListDto extends listOf(SavedCustomerListDto) {}

export class DeletedCustomerListDto extends deletedOf('customer_list') {}
