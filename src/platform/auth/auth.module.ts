import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { AccessAuditService } from './access-audit.service.js';
import { AccessGuard } from './access.guard.js';
import { CredentialUsesModule } from './credential-uses/credential-uses.module.js';
import { AuthenticatorService } from './authenticator.service.js';
import { CredentialRoute } from './keys/credential-route.entity.js';
import { CustomerTokenCacheService } from './customer-tokens/customer-token-cache.service.js';
import { CustomerTokenKeyService } from './customer-tokens/customer-token-key.service.js';
import { CustomerTokensService } from './customer-tokens/customer-tokens.service.js';
import { IssuedTokensService } from './issued-tokens/issued-tokens.service.js';
import { KeyCacheService } from './keys/key-cache.service.js';
import { KeyStrategy } from './keys/key.strategy.js';
import { RequestCredentialsService } from './request-credentials.service.js';
import { SessionStrategy } from './session.strategy.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([CredentialRoute]),
    CredentialUsesModule,
    DiscoveryModule,
    RateLimitsModule,
  ],
  providers: [
    AccessAuditService,
    IssuedTokensService,
    KeyCacheService,
    KeyStrategy,
    CustomerTokenCacheService,
    CustomerTokenKeyService,
    CustomerTokensService,
    SessionStrategy,
    AuthenticatorService,
    RequestCredentialsService,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [CustomerTokenKeyService, KeyCacheService, RequestCredentialsService],
})
export class AuthModule {}
