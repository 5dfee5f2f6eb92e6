import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { BlockedCustomersModule } from '../../customers/blocked-customers/blocked-customers.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { CurrenciesModule } from '../../purchases/currencies/currencies.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoresModule } from '../../stores/shared/stores.module.js';
import { CustomerImportsController } from './customer-imports.controller.js';
import { CustomerImportsService } from './customer-imports.service.js';
import { ImportIdentitiesService } from './identities/import-identities.service.js';
import { ImportRecorder } from './import.recorder.js';
import { KnownPurchasesRepository } from './identities/known-purchases.repository.js';

@Module({
  imports: [
    BlockedCustomersModule,
    CatalogModule,
    CurrenciesModule,
    CustomersModule,
    PurchasesModule,
    StoresModule,
  ],
  controllers: [CustomerImportsController],
  providers: [CustomerImportsService, ImportIdentitiesService, ImportRecorder, KnownPurchasesRepository],
})
export class CustomerImportsModule {}
