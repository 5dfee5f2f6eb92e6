import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { RefreshRepetitionsService } from './refresh-repetitions.service.js';

/** Rules for replaced refresh tokens. */
@Module({
  imports: [RateLimitsModule],
  providers: [RefreshRepetitionsService],
  exports: [RefreshRepetitionsService],
})
export class RefreshTokensModule {}
