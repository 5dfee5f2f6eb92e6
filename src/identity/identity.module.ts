import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { IdentifyService } from './identify.service.js';
import { IdentifyV1Controller } from './identify.v1.controller.js';

/** Signing in: which customers become one. */
@Module({
  imports: [CatalogModule, CustomersModule, PurchasesModule],
  controllers: [IdentifyV1Controller],
  providers: [IdentifyService],
})
export class IdentityModule {}
