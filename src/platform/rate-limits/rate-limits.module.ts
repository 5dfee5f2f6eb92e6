import { Module } from '@nestjs/common';
import { ApiRateLimits } from './api-rate-limits.js';
import { RateLimiter } from './rate-limiter.js';
import { RateLimitsRepository } from './rate-limits.repository.js';

@Module({
  providers: [ApiRateLimits, RateLimiter, RateLimitsRepository],
  exports: [ApiRateLimits, RateLimiter],
})
export class RateLimitsModule {}
