import { Module } from '@nestjs/common';
import { AttributesModule } from '../../support/attributes/attributes.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreNotificationsModule } from '../../stores/notifications/store-notifications.module.js';
import { StoresModule } from '../../stores/shared/stores.module.js';
import { ReceiptReads } from './receipt-reads.js';
import { ReceiptFollowUp } from './receipt-follow-up.js';
import { RestoreEligibilityService } from './restore-eligibility.service.js';
import { RestoreEligibilityV1Controller } from './restore-eligibility.v1.controller.js';
import { ReceiptVerificationService } from './receipt-verification.service.js';
import { ReceiptsService } from './receipts.service.js';
import { RecordedReceiptsService } from './recorded-receipts.service.js';
import { TrialHistory } from './trial-history.js';
import { ReceiptsV1Controller } from './receipts.v1.controller.js';

/** Receipts that apps post: purchases, restores and syncs. */
@Module({
  imports: [
    AttributesModule,
    CatalogModule,
    CustomersModule,
    PurchasesModule,
    StoresModule,
    StoreNotificationsModule,
  ],
  controllers: [ReceiptsV1Controller, RestoreEligibilityV1Controller],
  providers: [
    ReceiptFollowUp,
    ReceiptReads,
    ReceiptVerificationService,
    ReceiptsService,
    RecordedReceiptsService,
    RestoreEligibilityService,
    TrialHistory,
  ],
  exports: [ReceiptFollowUp],
})
export class ReceiptsModule {}
