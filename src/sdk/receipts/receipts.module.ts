import { Module } from '@nestjs/common';
import { AttributesModule } from '../../support/attributes/attributes.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreNotificationsModule } from '../../stores/notifications/store-notifications.module.js';
import { StoresModule } from '../../stores/shared/stores.module.js';
import { CustomerRestoreEligibilityV1Controller } from './customer-restore-eligibility.v1.controller.js';
import { ReceiptReadsService } from './receipt-reads.service.js';
import { ReceiptFollowUpService } from './receipt-follow-up.service.js';
import { RestoreEligibilityService } from './restore-eligibility.service.js';
import { RestoreEligibilityV1Controller } from './restore-eligibility.v1.controller.js';
import { ReceiptVerificationService } from './receipt-verification.service.js';
import { ReceiptsService } from './receipts.service.js';
import { ReceiptsV1Controller } from './receipts.v1.controller.js';

@Module({
  imports: [
    AttributesModule,
    CatalogModule,
    CustomersModule,
    PurchasesModule,
    StoresModule,
    StoreNotificationsModule,
  ],
  controllers: [ReceiptsV1Controller, RestoreEligibilityV1Controller, CustomerRestoreEligibilityV1Controller],
  providers: [
    ReceiptFollowUpService,
    ReceiptReadsService,
    ReceiptVerificationService,
    ReceiptsService,
    RestoreEligibilityService,
  ],
  exports: [ReceiptFollowUpService],
})
export class ReceiptsModule {}
