import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiRateLimits } from './api-rate-limits.js';
import { RateLimitCounter } from './rate-limit-counter.entity.js';
import { RateLimiter } from './rate-limiter.js';
import { RateLimitsRepository } from './rate-limits.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([RateLimitCounter])],
  providers: [ApiRateLimits, RateLimiter, RateLimitsRepository],
  exports: [ApiRateLimits, RateLimiter],
})
export class RateLimitsModule {}
