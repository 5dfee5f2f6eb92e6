import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { EntitlementsModule } from '../../catalog/entitlements/entitlements.module.js';
import { PurchasesModule } from '../recording/purchases.module.js';
import { GrantsService } from './grants.service.js';
import { GrantsV1Controller } from './grants.v1.controller.js';
import { GrantsV2Controller } from './grants.v2.controller.js';

@Module({
  imports: [CatalogModule, CustomersModule, EntitlementsModule, PurchasesModule],
  controllers: [GrantsV1Controller, GrantsV2Controller],
  providers: [GrantsService],
})
export class GrantsModule {}
