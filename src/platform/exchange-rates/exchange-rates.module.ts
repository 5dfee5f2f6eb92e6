import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExchangeRateDay } from './exchange-rate-day.entity.js';
import { ExchangeRateFeed } from './exchange-rate-feed.entity.js';
import { ExchangeRateFetchJob } from './exchange-rate-fetch.job.js';
import { ExchangeRatesService } from './exchange-rates.service.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ExchangeRateDay, ExchangeRateFeed])],
  providers: [ExchangeRatesService, ExchangeRatesRepository, ExchangeRateFetchJob],
  exports: [ExchangeRatesService],
})
export class ExchangeRatesModule {}
