import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExchangeRateDay } from './exchange-rate-day.entity.js';
import { ExchangeRateFeed } from './exchange-rate-feed.entity.js';
import { ExchangeRateFetcher } from './exchange-rate-fetcher.js';
import { ExchangeRateProvider } from './exchange-rate-provider.js';
import { ExchangeRates } from './exchange-rates.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';

/** Converts amounts to USD at a day's rate. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ExchangeRateDay, ExchangeRateFeed])],
  providers: [ExchangeRates, ExchangeRatesRepository, ExchangeRateFetcher, ExchangeRateProvider],
  exports: [ExchangeRates],
})
export class ExchangeRatesModule {}
