import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { StoresModule } from '../../stores/shared/stores.module.js';
import { OrderLookupsService } from './order-lookups.service.js';
import { OrderRestoresService } from './order-restores.service.js';
import { RestoresService } from './restores.service.js';
import { RestoresV2Controller } from './restores.v2.controller.js';

@Module({
  imports: [AppsModule, CatalogModule, CustomersModule, PurchasesModule, ReceiptsModule, StoresModule],
  controllers: [RestoresV2Controller],
  providers: [OrderLookupsService, OrderRestoresService, RestoresService],
})
export class RestoresModule {}
