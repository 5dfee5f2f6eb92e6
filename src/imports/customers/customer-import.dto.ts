import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import {
  BooleanField,
  JsonObjectField,
  ObjectArrayField,
  StringArrayField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { TimeField } from './imported-item.dto.js';
import { ImportedPurchaseDto } from './imported-purchase.dto.js';
import { ImportedSubscriptionDto } from './imported-subscription.dto.js';

export class ImportedAttributeDto {
  @StringField({ max: 100, example: '$email' })
  name: string;

  @StringField({
    min: 0,
    max: 100_000,
    nullable: true,
    description: 'Null deletes it.',
    example: 'ada@example.com',
  })
  value: string | null;

  @TimeField('When it was set there (ms). The newer of two values counts.', { required: true })
  updated_at: number;
}

export class ImportedCustomerDto {
  @StringField({ max: 100, description: 'App user id.', example: 'ada' })
  id: string;

  @StringArrayField({ max: 5000, itemMax: 100, optional: true, description: 'Other ids of the customer.' })
  aliases?: string[];

  @TimeField('First seen (ms). The earliest counts.')
  first_seen_at?: number;

  @TimeField('Last seen (ms). The latest counts.', { nullable: true })
  last_seen_at?: number | null;

  @ObjectArrayField(() => ImportedAttributeDto, { max: 500, optional: true })
  attributes?: ImportedAttributeDto[];

  @ObjectArrayField(() => ImportedSubscriptionDto, { max: 1000, optional: true })
  subscriptions?: ImportedSubscriptionDto[];

  @ObjectArrayField(() => ImportedPurchaseDto, { max: 1000, optional: true })
  purchases?: ImportedPurchaseDto[];

  @JsonObjectField({ optional: true, description: 'Balances by currency code.', example: { GLD: 80 } })
  virtual_currencies?: Record<string, unknown>;

  @StringField({
    max: 100,
    optional: true,
    nullable: true,
    description: 'Version of the app first installed.',
  })
  original_application_version?: string | null;

  @TimeField('When the app was first bought or installed (ms).', { nullable: true })
  original_purchase_date?: number | null;

  @StringField({
    max: 200,
    optional: true,
    nullable: true,
    description: 'Lookup key of their current offering.',
  })
  offering_override?: string | null;

  @BooleanField({ optional: true, description: 'Blocks the id.' })
  blocked?: boolean;
}

@BodyExample({
  customers: [
    {
      id: 'ada',
      aliases: ['$RCAnonymousID:4a6f2d0e8b1c4f7a9d3e5c6b7a8f9e0d'],
      first_seen_at: 1_750_000_000_000,
      attributes: [{ name: '$email', value: 'ada@example.com', updated_at: 1_750_000_000_000 }],
    },
  ],
  emit_events: false,
})
export class ImportCustomersDto {
  @ObjectArrayField(() => ImportedCustomerDto, { min: 1, max: 100 })
  customers: ImportedCustomerDto[];

  @BooleanField({
    optional: true,
    description: 'Emit events for the state of new subscriptions. Default: false.',
  })
  emit_events?: boolean;

  @BooleanField({ optional: true, description: 'Ask the stores for missing keys. Default: true.' })
  resolve_store_ids?: boolean;

  @TimeField('When the other system was read (ms). The later of two imports counts. Default: now.')
  as_of?: number;
}

export class ImportedResultDto {
  @ApiProperty({ type: String, example: 'ada' })
  id: string;

  @ApiProperty({ enum: ['created', 'updated', 'merged'] })
  status: 'created' | 'updated' | 'merged';

  @ApiProperty({ type: 'integer', description: 'Items of the request that were recorded for the customer.' })
  subscriptions: number;

  @ApiProperty({ type: 'integer' })
  purchases: number;

  @ApiProperty({ type: 'integer', description: 'Google Play subscriptions still without a purchase token.' })
  needs_token_refresh: number;

  @ApiProperty({
    type: [String],
    maxItems: 20,
    example: ['subscriptions.0: the product "pro_weekly" is not in the catalog'],
  })
  notes: string[];
}

export class ImportResultDto {
  @ApiProperty({ enum: ['import_result'] })
  object: 'import_result';

  @ApiProperty({ type: Boolean })
  emit_events: boolean;

  @ApiProperty({ type: [ImportedResultDto], description: 'In the order of the request.' })
  customers: ImportedResultDto[];
}
