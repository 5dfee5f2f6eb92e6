import { ApiProperty } from '@nestjs/swagger';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  BooleanField,
  IntField,
  ObjectArrayField,
  StringArrayField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

export const MAX_BALANCE = 2_000_000_000;

export class ProductGrantInputDto {
  @StringArrayField({ min: 1, max: 100, itemMax: 255 })
  product_ids: string[];

  @IntField({ min: 1, max: MAX_BALANCE, example: 100 })
  amount: number;

  @IntField({ min: 0, max: MAX_BALANCE, optional: true, nullable: true, description: 'Default 0.' })
  trial_amount?: number | null;

  @BooleanField({ optional: true, nullable: true, description: 'Default false.' })
  expire_at_cycle_end?: boolean | null;
}

class VirtualCurrencyFieldsDto {
  @StringField({ max: 1500, optional: true, nullable: true })
  description?: string | null;

  @ObjectArrayField(() => ProductGrantInputDto, {
    max: 100,
    optional: true,
    nullable: true,
    description: 'What products credit. Replaces all existing grants.',
  })
  product_grants?: ProductGrantInputDto[] | null;
}

@BodyExample({ code: 'SLV', name: 'Silver', description: 'For the shop' })
export class CreateVirtualCurrencyDto extends VirtualCurrencyFieldsDto {
  @StringField({
    max: 10,
    pattern: /^[a-zA-Z0-9_]+$/,
    patternText: 'must hold letters, digits and underscores only',
    example: 'GLD',
  })
  code: string;

  @StringField({ max: 50, example: 'Gold' })
  name: string;
}

@BodyExample({ name: 'Gold' })
export class UpdateVirtualCurrencyDto extends VirtualCurrencyFieldsDto {
  @StringField({ max: 50, optional: true })
  name?: string;
}

export class ProductGrantDto {
  @ApiProperty({ enum: ['virtual_currency.product_grant'] })
  object: 'virtual_currency.product_grant';

  @ApiProperty({ type: [String] })
  product_ids: string[];

  @ApiProperty({ type: 'integer' })
  amount: number;

  @ApiProperty({ type: 'integer' })
  trial_amount: number;

  @ApiProperty({ type: Boolean })
  expire_at_cycle_end: boolean;
}

export class VirtualCurrencyDto {
  @ApiProperty({ enum: ['virtual_currency'] })
  object: 'virtual_currency';

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String, example: 'GLD' })
  code: string;

  @ApiProperty({ type: String, example: 'Gold' })
  name: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ enum: ['active', 'inactive'] })
  state: 'active' | 'inactive';

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: [ProductGrantDto], nullable: true })
  product_grants: ProductGrantDto[] | null;
}

export class VirtualCurrencyListDto extends listOf(VirtualCurrencyDto) {}

export class DeletedVirtualCurrencyDto extends deletedOf('virtual_currency') {}
