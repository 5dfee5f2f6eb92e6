import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiRateLimitsService } from './api-rate-limits.service.js';
import { RateLimitCounter } from './rate-limit-counter.entity.js';
import { RateLimiterService } from './rate-limiter.service.js';
import { RateLimitsRepository } from './rate-limits.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([RateLimitCounter])],
  providers: [ApiRateLimitsService, RateLimiterService, RateLimitsRepository],
  exports: [ApiRateLimitsService, RateLimiterService],
})
export class RateLimitsModule {}
