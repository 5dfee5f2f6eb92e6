import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CurrenciesModule } from '../currencies/currencies.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ChangesRepository } from './changes.repository.js';
import { OwnershipService } from './ownership.service.js';
import { PostedPurchasesService } from './posted-purchases.service.js';
import { PurchaseRecorder } from './purchase-recorder.js';
import { PurchasesQueryService } from './purchases-query.service.js';
import { PurchasesRepository } from './purchases.repository.js';
import { PurchasesV2Controller } from './purchases.v2.controller.js';
import { ToldPurchasesService } from './told-purchases.service.js';

/** Everything that changes a purchase, and REST v2 reads of purchases. */
@Module({
  imports: [CatalogModule, CurrenciesModule, CustomersModule, WebhooksModule],
  controllers: [PurchasesV2Controller],
  providers: [
    ChangesRepository,
    PurchasesRepository,
    PurchasesQueryService,
    OwnershipService,
    PurchaseRecorder,
    PostedPurchasesService,
    ToldPurchasesService,
  ],
  exports: [PurchaseRecorder, PostedPurchasesService, ToldPurchasesService],
})
export class PurchasesModule {}
