import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomerSessionCredentials } from '../../platform/auth/credential-lookups.js';
import { RefreshTokensModule } from '../../platform/refresh-tokens/refresh-tokens.module.js';
import { CustomerSessionCredentialsRepository } from './customer-session-credentials.repository.js';
import { CustomerSession } from './customer-session.entity.js';
import { CustomerSessionsRepository } from './customer-sessions.repository.js';
import { CustomerSessionsService } from './customer-sessions.service.js';
import { ReplacedCustomerToken } from './replaced-customer-token.entity.js';
import { RevokedAccessToken } from './revoked-access-token.entity.js';
import './customer-rows.sql.js';

/** Global, because the access guard injects `CustomerSessionCredentials`. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([CustomerSession, ReplacedCustomerToken, RevokedAccessToken]),
    RefreshTokensModule,
  ],
  providers: [
    CustomerSessionsRepository,
    CustomerSessionsService,
    { provide: CustomerSessionCredentials, useClass: CustomerSessionCredentialsRepository },
  ],
  exports: [CustomerSessionCredentials, CustomerSessionsService],
})
export class CustomerSessionsModule {}
