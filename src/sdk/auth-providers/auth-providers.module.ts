import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthIdentitiesRepository } from './identities/auth-identities.repository.js';
import { AuthIdentitiesService } from './identities/auth-identities.service.js';
import { AuthIdentity } from './identities/auth-identity.entity.js';
import { IdTokensService } from './id-tokens/id-tokens.service.js';
import { KeySetClient } from './id-tokens/key-set.client.js';
import { KeySetsService } from './id-tokens/key-sets.service.js';
import { AuthProvider } from './providers/auth-provider.entity.js';
import { AuthProvidersRepository } from './providers/auth-providers.repository.js';
import { AuthSettingsController } from './settings/auth-settings.controller.js';
import { AuthSettings } from './settings/auth-settings.entity.js';
import { AuthSettingsRepository } from './settings/auth-settings.repository.js';
import { AuthSettingsService } from './settings/auth-settings.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuthIdentity, AuthProvider, AuthSettings])],
  controllers: [AuthSettingsController],
  providers: [
    AuthIdentitiesRepository,
    AuthIdentitiesService,
    AuthProvidersRepository,
    AuthSettingsRepository,
    AuthSettingsService,
    IdTokensService,
    KeySetClient,
    KeySetsService,
  ],
  exports: [AuthIdentitiesService, AuthSettingsService, IdTokensService],
})
export class AuthProvidersModule {}
