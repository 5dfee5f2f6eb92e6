import { Module } from '@nestjs/common';
import { AttributesModule } from '../attributes/attributes.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { ReceiptsService } from './receipts.service.js';
import { ReceiptsV1Controller } from './receipts.v1.controller.js';

/** Purchases, restores and syncs that apps post. */
@Module({
  imports: [AttributesModule, CatalogModule, CustomersModule, PurchasesModule],
  controllers: [ReceiptsV1Controller],
  providers: [ReceiptsService],
})
export class ReceiptsModule {}
