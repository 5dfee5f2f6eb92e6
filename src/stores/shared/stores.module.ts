import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { CredentialHealth } from './credential-health.js';
import { CredentialsCheckController } from './credentials-check.controller.js';
import { CredentialsCheckService } from './credentials-check.service.js';
import { StoreBudget } from './store-budget.entity.js';
import { StoreMetrics } from './store-metrics.js';
import { StoreConnections } from './store-connections.js';
import { StoreOrderRecorder } from './store-order-recorder.js';
import { StoreOrders } from './store-orders.js';
import { OverdueSubscriptions } from './overdue-subscriptions.js';
import { OverdueSubscriptionsRepository } from './overdue-subscriptions.repository.js';
import { SilentApps } from './silent-apps.js';
import { SilentAppsRepository } from './silent-apps.repository.js';
import { StoreBudgets } from './store-budgets.js';
import { StoreRefresh } from './store-refresh.entity.js';
import { PurchaseRefresher } from './purchase-refresher.service.js';
import { StoreRefreshJob } from './store-refresh.job.js';
import { StoreRefreshes } from './store-refreshes.js';
import { StoreRefreshesRepository } from './store-refreshes.repository.js';
import { SubscriptionExtensionsService } from './subscription-extensions.service.js';

/** Verification of purchases, for any store. */
@Module({
  imports: [
    AppsModule,
    PurchasesModule,
    StoreTasksModule,
    TypeOrmModule.forFeature([StoreBudget, StoreRefresh]),
  ],
  controllers: [CredentialsCheckController],
  providers: [
    StoreMetrics,
    StoreConnections,
    StoreBudgets,
    OverdueSubscriptionsRepository,
    OverdueSubscriptions,
    SilentAppsRepository,
    SilentApps,
    PurchaseRefresher,
    StoreRefreshJob,
    StoreRefreshesRepository,
    StoreRefreshes,
    CredentialHealth,
    CredentialsCheckService,
    StoreOrderRecorder,
    StoreOrders,
    SubscriptionExtensionsService,
  ],
  exports: [StoreConnections, CredentialHealth, StoreRefreshes, StoreOrders, SubscriptionExtensionsService],
})
export class StoresModule {}
