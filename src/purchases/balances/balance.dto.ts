import { ApiProperty } from '@nestjs/swagger';
import { JsonObjectField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { Balance } from './balances.service.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { BooleanParameter } from '../../platform/http/lists/query-parameters.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ adjustments: { GLD: 20 }, reference: 'level-12' })
export class AdjustBalancesDto {
  @JsonObjectField({
    description: 'Whole numbers by currency code; negative amounts are subtracted. All or nothing.',
    example: { GLD: 20, SLV: -10 },
  })
  adjustments: Record<string, unknown>;

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description: 'Your own reference for this change.',
  })
  reference?: string | null;
}

export class BalanceDto {
  @ApiProperty({ enum: ['virtual_currency_balance'] })
  object: 'virtual_currency_balance';

  @ApiProperty({ type: String, example: 'GLD' })
  currency_code: string;

  @ApiProperty({ type: 'integer', example: 80 })
  balance: number;

  @ApiProperty({ type: String, example: 'Gold' })
  name: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;
}

export class BalanceListDto extends listOf(BalanceDto) {}

export function presentBalance({ currency, balance }: Balance): BalanceDto {
  const { code, name, description } = currency;
  return { object: 'virtual_currency_balance', currency_code: code, balance, name, description };
}

export class BalancesQuery extends PageQuery {
  @BooleanParameter({ description: 'Default false.' })
  include_empty_balances: boolean;
}
