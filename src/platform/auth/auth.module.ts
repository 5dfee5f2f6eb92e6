import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { AccessAudit } from './access-audit.js';
import { AccessGuard } from './access.guard.js';
import { AuthRepository } from './auth.repository.js';
import { Authenticator } from './authenticator.js';
import { CredentialRoute } from './credential-route.entity.js';
import { KeyCache } from './key-cache.js';
import { KeyLookup, PublicKeyStrategy, SecretKeyStrategy } from './key.strategy.js';
import { RequestCredentials } from './request-credentials.js';
import { SessionStrategy } from './session.strategy.js';

/** Credentials, principals and the guard in front of every route. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([CredentialRoute]), DiscoveryModule, RateLimitsModule],
  providers: [
    AccessAudit,
    AuthRepository,
    KeyLookup,
    KeyCache,
    PublicKeyStrategy,
    SecretKeyStrategy,
    SessionStrategy,
    Authenticator,
    RequestCredentials,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [KeyCache, RequestCredentials],
})
export class AuthModule {}
