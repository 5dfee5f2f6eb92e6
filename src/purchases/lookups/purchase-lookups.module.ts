import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ImportedKeysRepository } from './imported-keys.repository.js';
import { ImportedKeysService } from './imported-keys.service.js';
import { PurchaseLookupsRepository } from './purchase-lookups.repository.js';
import { PurchaseLookupsService } from './purchase-lookups.service.js';
import { PurchasesQueryService } from './purchases-query.service.js';
import { PurchasesRepository } from './purchases.repository.js';
import { PurchasesV2Controller } from './purchases.v2.controller.js';

@Module({
  imports: [CatalogModule, CustomersModule],
  controllers: [PurchasesV2Controller],
  providers: [
    ImportedKeysRepository,
    ImportedKeysService,
    PurchaseLookupsRepository,
    PurchaseLookupsService,
    PurchasesQueryService,
    PurchasesRepository,
  ],
  exports: [ImportedKeysService, PurchaseLookupsService],
})
export class PurchaseLookupsModule {}
