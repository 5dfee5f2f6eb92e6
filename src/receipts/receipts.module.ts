import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { ReceiptsService } from './receipts.service.js';
import { ReceiptsV1Controller } from './receipts.v1.controller.js';

/** Purchases, restores and syncs that apps post. */
@Module({
  imports: [CatalogModule, CustomersModule, PurchasesModule, StoresModule],
  controllers: [ReceiptsV1Controller],
  providers: [ReceiptsService],
})
export class ReceiptsModule {}
