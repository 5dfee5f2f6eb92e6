import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { StoreActionsService } from './store-actions.service.js';
import { StoreActionsV1Controller } from './store-actions.v1.controller.js';

/** Orders of backends to the stores. */
@Module({
  imports: [CatalogModule, CustomersModule, StoresModule],
  controllers: [StoreActionsV1Controller],
  providers: [StoreActionsService],
})
export class StoreActionsModule {}
