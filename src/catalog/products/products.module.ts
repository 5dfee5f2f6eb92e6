import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../apps/apps.module.js';
import { CatalogModule } from '../snapshot/catalog.module.js';
import { Product } from './product.entity.js';
import { ProductsController } from './products.controller.js';
import { ProductsRepository } from './products.repository.js';
import { ProductsService } from './products.service.js';
import { StoreProductsController } from './store-kit/store-products.controller.js';

@Module({
  imports: [AppsModule, CatalogModule, TypeOrmModule.forFeature([Product])],
  controllers: [ProductsController, StoreProductsController],
  providers: [ProductsRepository, ProductsService],
  exports: [ProductsService],
})
export class ProductsModule {}
