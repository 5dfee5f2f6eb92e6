import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../apps/apps.module.js';
import { CatalogChangesModule } from '../shared/catalog-changes.module.js';
import { CatalogModule } from '../snapshot/catalog.module.js';
import { Product } from './product.entity.js';
import { ProductPrice } from './prices/product-price.entity.js';
import { ProductPricesController } from './prices/product-prices.controller.js';
import { ProductPricesRepository } from './prices/product-prices.repository.js';
import { ProductPricesService } from './prices/product-prices.service.js';
import { ProductsController } from './products.controller.js';
import { ProductsRepository } from './products.repository.js';
import { ProductsService } from './products.service.js';
import { StoreProductsController } from './store-kit/store-products.controller.js';

@Module({
  imports: [
    AppsModule,
    CatalogChangesModule,
    CatalogModule,
    TypeOrmModule.forFeature([Product, ProductPrice]),
  ],
  controllers: [ProductsController, ProductPricesController, StoreProductsController],
  providers: [ProductPricesRepository, ProductPricesService, ProductsRepository, ProductsService],
  exports: [ProductsService],
})
export class ProductsModule {}
