import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { BalancesModule } from '../../purchases/balances/balances.module.js';
import { CustomerSessionsModule } from '../customer-sessions/customer-sessions.module.js';
import { AuthIdentitiesController } from './identities/auth-identities.controller.js';
import { AuthIdentitiesRepository } from './identities/auth-identities.repository.js';
import { AuthIdentitiesService } from './identities/auth-identities.service.js';
import { AuthIdentity } from './identities/auth-identity.entity.js';
import { IdTokensService } from './id-tokens/id-tokens.service.js';
import { KeySetClient } from './id-tokens/key-set.client.js';
import { KeySetsService } from './id-tokens/key-sets.service.js';
import { TokenTestsController } from './id-tokens/token-tests.controller.js';
import { TokenTestsService } from './id-tokens/token-tests.service.js';
import { AuthProvider } from './providers/auth-provider.entity.js';
import { AuthProvidersController } from './providers/auth-providers.controller.js';
import { AuthProvidersRepository } from './providers/auth-providers.repository.js';
import { AuthProvidersService } from './providers/auth-providers.service.js';
import { AuthSettingsController } from './settings/auth-settings.controller.js';
import { AuthSettings } from './settings/auth-settings.entity.js';
import { AuthSettingsRepository } from './settings/auth-settings.repository.js';
import { AuthSettingsService } from './settings/auth-settings.service.js';
import './identities/customer-rows.sql.js';

@Module({
  imports: [
    BalancesModule,
    CustomerSessionsModule,
    CustomersModule,
    TypeOrmModule.forFeature([AuthIdentity, AuthProvider, AuthSettings]),
  ],
  controllers: [
    AuthIdentitiesController,
    AuthProvidersController,
    AuthSettingsController,
    TokenTestsController,
  ],
  providers: [
    AuthIdentitiesRepository,
    AuthIdentitiesService,
    AuthProvidersRepository,
    AuthProvidersService,
    AuthSettingsRepository,
    AuthSettingsService,
    IdTokensService,
    KeySetClient,
    KeySetsService,
    TokenTestsService,
  ],
  exports: [AuthIdentitiesService, AuthSettingsService, IdTokensService],
})
export class AuthProvidersModule {}
