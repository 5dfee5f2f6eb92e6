import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProductsModule } from '../products/products.module.js';
import { CatalogChangesModule } from '../shared/catalog-changes.module.js';
import { Entitlement } from './entitlement.entity.js';
import { ProductEntitlement } from './product-entitlement.entity.js';
import { EntitlementsController } from './entitlements.controller.js';
import { EntitlementsRepository } from './entitlements.repository.js';
import { EntitlementsService } from './entitlements.service.js';

@Module({
  imports: [
    CatalogChangesModule,
    ProductsModule,
    TypeOrmModule.forFeature([Entitlement, ProductEntitlement]),
  ],
  controllers: [EntitlementsController],
  providers: [EntitlementsRepository, EntitlementsService],
  exports: [EntitlementsService],
})
export class EntitlementsModule {}
