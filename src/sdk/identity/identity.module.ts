import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { CustomerJoinsService } from './customer-joins.service.js';
import { IdentifyService } from './identify.service.js';
import { IdentifyV1Controller } from './identify.v1.controller.js';

@Module({
  imports: [CatalogModule, CustomersModule, PurchasesModule],
  controllers: [IdentifyV1Controller],
  providers: [CustomerJoinsService, IdentifyService],
  exports: [CustomerJoinsService, IdentifyService],
})
export class IdentityModule {}
