import { Global, Module } from '@nestjs/common';
import { ExchangeRateFetcher } from './exchange-rate-fetcher.js';
import { ExchangeRates } from './exchange-rates.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';

/** USD at the rate of a day, for whatever records money. */
@Global()
@Module({
  providers: [ExchangeRates, ExchangeRatesRepository, ExchangeRateFetcher],
  exports: [ExchangeRates],
})
export class ExchangeRatesModule {}
