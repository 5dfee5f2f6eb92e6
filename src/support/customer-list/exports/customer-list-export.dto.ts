import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import { JsonObjectField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import {
  type ExportFailure,
  exportFailures,
  type ExportState,
  exportStates,
} from './customer-list-export.entity.js';

const filters = {
  description:
    'Filters by name, with values as in the query of `listFilteredCustomers`: `{"status": "trial", "country": "DE"}`.',
} as const;

@BodyExample({ filters: { status: 'trial', country: 'DE' } })
export class CreateCustomerListExportDto {
  @JsonObjectField(filters)
  filters: Record<string, unknown>;
}

export class CustomerListExportDto {
  @ApiProperty({ enum: ['customer_list_export'] })
  object: 'customer_list_export';

  @ApiProperty({ type: String, example: 'clex1a2b3c4d5e6f7g8h' })
  id: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, ...filters })
  filters: Record<string, string>;

  @ApiProperty({ enum: exportStates, description: '`ready`: the file can be downloaded.' })
  state: ExportState;

  @ApiProperty({
    enum: exportFailures,
    nullable: true,
    description:
      '`too_large`: more than 1000000 customers or 256 MiB compressed. `filters_outdated`: a product or entitlement of the filters was deleted. `customer_erased`: the file was deleted because a customer was.',
  })
  failure: ExportFailure | null;

  @ApiProperty({ type: 'integer', description: 'Customers in the file so far.' })
  written_rows: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Customers who met the filters when the export started; null until they are counted.',
  })
  total_rows: number | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds; null while running.' })
  finished_at: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Epoch milliseconds. The export and its file are deleted then.',
  })
  expires_at: number;
}

export class CustomerListExportListDto extends listOf(CustomerListExportDto) {}

export class DeletedCustomerListExportDto extends deletedOf('customer_list_export') {}
