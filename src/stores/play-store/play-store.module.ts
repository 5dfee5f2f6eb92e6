import { Global, Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { RecordedRentals } from '../../catalog/shared/recorded-rentals.js';
import { ExternalPurchasesModule } from '../../purchases/external-purchases/external-purchases.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { UnknownValuesModule } from '../../purchases/unknown-values/unknown-values.module.js';
import { StoreNotificationsModule } from '../notifications/store-notifications.module.js';
import { RefundRequestsModule } from '../refund-requests/refund-requests.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { ExternalTransactionsJob } from './external-transactions.job.js';
import { PlayService } from './play.service.js';
import { PlayStoreConnection } from './play-store.connection.js';
import { PlayStoreNotifications } from './play-store.notifications.js';
import { PurchaseAcknowledgementsService } from './purchase-acknowledgements.service.js';
import { RecordedRentalsJob } from './recorded-rentals.job.js';
import { RefundReviewsService } from './refund-reviews.service.js';
import { VoidedPurchasesJob } from './voided-purchases.job.js';
import { VoidedPurchasesRecorder } from './voided-purchases.recorder.js';

/** Global, because the catalog below injects `RecordedRentals`. */
@Global()
@Module({
  imports: [
    AppsModule,
    CatalogModule,
    ExternalPurchasesModule,
    PurchasesModule,
    RateLimitsModule,
    RefundRequestsModule,
    StoresModule,
    StoreTasksModule,
    StoreNotificationsModule,
    UnknownValuesModule,
  ],
  providers: [
    ExternalTransactionsJob,
    PlayService,
    PlayStoreConnection,
    PlayStoreNotifications,
    PurchaseAcknowledgementsService,
    { provide: RecordedRentals, useClass: RecordedRentalsJob },
    RefundReviewsService,
    VoidedPurchasesJob,
    VoidedPurchasesRecorder,
  ],
  exports: [RecordedRentals],
})
export class PlayStoreModule {}
