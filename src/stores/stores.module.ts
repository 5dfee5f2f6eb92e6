import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { CredentialFailures } from './credential-failures.js';
import { CredentialsCheckController } from './credentials-check.controller.js';
import { CredentialsCheckService } from './credentials-check.service.js';
import { StoreAccountsService } from './store-accounts.service.js';
import { StoreConnections } from './store-connections.js';
import { StoreRefreshes } from './store-refreshes.js';
import { StoreRefreshesRepository } from './store-refreshes.repository.js';
import { SubscriptionExtensionsService } from './subscription-extensions.service.js';

/** The stores that purchases are verified with, whichever they are. */
@Module({
  imports: [AppsModule, PurchasesModule],
  controllers: [CredentialsCheckController],
  providers: [
    CredentialFailures,
    StoreConnections,
    StoreRefreshesRepository,
    StoreRefreshes,
    StoreAccountsService,
    CredentialsCheckService,
    SubscriptionExtensionsService,
  ],
  exports: [
    CredentialFailures,
    StoreConnections,
    StoreRefreshes,
    StoreAccountsService,
    SubscriptionExtensionsService,
  ],
})
export class StoresModule {}
