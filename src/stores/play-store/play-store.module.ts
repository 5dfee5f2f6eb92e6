import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { StoreNotificationsModule } from '../notifications/store-notifications.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { AcknowledgementsService } from './acknowledgements.service.js';
import { PlayNotificationSenders } from './play-notification-senders.js';
import { Play } from './play.js';
import { PlayStoreConnection } from './play-store.connection.js';
import { PlayStoreNotifications } from './play-store.notifications.js';
import { PurchaseAcknowledgements } from './purchase-acknowledgements.js';
import { VoidedPurchaseRecorder } from './voided-purchase-recorder.js';
import { VoidedPurchases } from './voided-purchases.js';

@Module({
  imports: [
    AppsModule,
    CatalogModule,
    PurchasesModule,
    RateLimitsModule,
    StoresModule,
    StoreTasksModule,
    StoreNotificationsModule,
  ],
  providers: [
    AcknowledgementsService,
    Play,
    PlayNotificationSenders,
    PlayStoreConnection,
    PlayStoreNotifications,
    PurchaseAcknowledgements,
    VoidedPurchaseRecorder,
    VoidedPurchases,
  ],
})
export class PlayStoreModule {}
