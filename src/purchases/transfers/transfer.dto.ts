import { ApiProperty } from '@nestjs/swagger';
import { CustomerDto } from '../../customers/customers/identity/customer.dto.js';
import { StringArrayField, StringField } from '../../platform/http/bodies/fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ target_customer_id: 'grace' })
export class TransferDto {
  @StringField({ max: 100, description: 'The customer who receives the purchases; created if unknown.' })
  target_customer_id: string;

  @StringArrayField({
    min: 1,
    max: 100,
    itemMax: 255,
    optional: true,
    nullable: true,
    description: 'Transfers only purchases of these apps. Default: everything, including promotional grants.',
  })
  app_ids?: string[] | null;
}

export class TransferredDto {
  @ApiProperty({ type: CustomerDto })
  source_customer: CustomerDto;

  @ApiProperty({ type: CustomerDto })
  target_customer: CustomerDto;
}
