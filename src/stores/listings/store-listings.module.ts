import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { ProductsModule } from '../../catalog/products/products.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { StoreListingsController } from './store-listings.controller.js';
import { StoreListingsService } from './store-listings.service.js';

@Module({
  imports: [AppsModule, ProductsModule, StoresModule],
  controllers: [StoreListingsController],
  providers: [StoreListingsService],
})
export class StoreListingsModule {}
