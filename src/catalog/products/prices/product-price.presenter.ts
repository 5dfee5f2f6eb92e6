import type { ProductPriceDto, TestStorePricesDto } from './product-price.dto.js';
import type { ProductPrice } from './product-price.entity.js';

export function presentProductPrice({
  currency,
  micros,
  createdAt,
  updatedAt,
}: ProductPrice): ProductPriceDto {
  return {
    object: 'product_price',
    currency,
    amount_micros: micros,
    created_at: createdAt.getTime(),
    updated_at: updatedAt.getTime(),
  };
}

export function presentTestStorePrice({
  currency,
  micros,
}: ProductPrice): TestStorePricesDto['prices'][number] {
  return { amount_micros: micros, currency };
}

export function presentTestStorePrices(productId: string, prices: ProductPrice[]): TestStorePricesDto {
  return { object: 'test_store_prices', product_id: productId, prices: prices.map(presentTestStorePrice) };
}
