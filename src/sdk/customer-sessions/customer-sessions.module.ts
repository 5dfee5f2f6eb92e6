import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RefreshTokensModule } from '../../platform/refresh-tokens/refresh-tokens.module.js';
import { CustomerSession } from './customer-session.entity.js';
import { CustomerSessionsCleanupJob } from './customer-sessions-cleanup.job.js';
import { CustomerSessionsRepository } from './customer-sessions.repository.js';
import { CustomerSessionsService } from './customer-sessions.service.js';
import { ReplacedCustomerToken } from './replaced-customer-token.entity.js';
import { RevokedAccessToken } from './revoked-access-token.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CustomerSession, ReplacedCustomerToken, RevokedAccessToken]),
    RefreshTokensModule,
  ],
  providers: [CustomerSessionsCleanupJob, CustomerSessionsRepository, CustomerSessionsService],
  exports: [CustomerSessionsService],
})
export class CustomerSessionsModule {}
