import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { IntField, ObjectArrayField, StringField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';

const amount = {
  min: 0,
  max: 1e12,
  description: 'Millionths of the currency: 9.99 is 9990000.',
  example: 9990000,
} as const;

export class NewTestStorePriceDto {
  @IntField(amount)
  amount_micros: number;

  @StringField({
    min: 3,
    max: 3,
    pattern: /^[A-Z]{3}$/,
    patternText: 'must be an ISO 4217 code in upper case',
    description: 'ISO 4217, upper case.',
    example: 'USD',
  })
  currency: string;
}

@BodyExample({
  prices: [
    { amount_micros: 9990000, currency: 'USD' },
    { amount_micros: 8990000, currency: 'EUR' },
  ],
})
export class CreateTestStorePricesDto {
  @ObjectArrayField(() => NewTestStorePriceDto, {
    min: 1,
    max: 50,
    description:
      'One price for each currency. The default price is the one in USD, else the first by currency.',
  })
  prices: NewTestStorePriceDto[];
}

@BodyExample({ amount_micros: 9990000 })
export class UpdateProductPriceDto {
  @IntField(amount)
  amount_micros: number;
}

class PriceOfTestStoreDto {
  @ApiProperty({ type: 'integer', description: 'Millionths of the currency.' })
  amount_micros: number;

  @ApiProperty({ type: String, description: 'ISO 4217.', example: 'USD' })
  currency: string;
}

export class TestStorePricesDto {
  @ApiProperty({ enum: ['test_store_prices'] })
  object: 'test_store_prices';

  @ApiProperty({ type: String, example: 'prodsx2k8v0a1b' })
  product_id: string;

  @ApiProperty({
    type: [PriceOfTestStoreDto],
    description: 'By currency; empty for a product without prices.',
  })
  prices: PriceOfTestStoreDto[];
}

export class ProductPriceDto {
  @ApiProperty({ enum: ['product_price'] })
  object: 'product_price';

  @ApiProperty({ type: String, description: 'ISO 4217.', example: 'USD' })
  currency: string;

  @ApiProperty({ type: 'integer', description: 'Millionths of the currency.' })
  amount_micros: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'When the amount last changed, epoch milliseconds.' })
  updated_at: number;
}

export class ProductPriceListDto extends listOf(ProductPriceDto) {}
