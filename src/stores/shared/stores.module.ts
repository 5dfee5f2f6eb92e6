import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { ExternalPurchasesModule } from '../../purchases/external-purchases/external-purchases.module.js';
import { ExternalReportsModule } from '../../purchases/external-reports/external-reports.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { UnknownValuesModule } from '../../purchases/unknown-values/unknown-values.module.js';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { CredentialHealthService } from './credential-health.service.js';
import { CredentialsCheckController } from './credentials-check.controller.js';
import { CredentialsCheckService } from './credentials-check.service.js';
import { ExternalReportDeliveryService } from './external-report-delivery.service.js';
import { SharedStoreBudget, StoreBudget } from './store-budget.entity.js';
import { StoreMetrics } from './store.metrics.js';
import { StoreConnectionsService } from './store-connections.service.js';
import { OverdueSubscriptionsJob } from './overdue-subscriptions.job.js';
import { SilentAppsJob } from './silent-apps.job.js';
import { SilentAppsRepository } from './silent-apps.repository.js';
import { StoreBudgetsRepository } from './store-budgets.repository.js';
import { StoreBudgetsService } from './store-budgets.service.js';
import { StoreRefresh } from './store-refresh.entity.js';
import { StoreRefreshJob } from './store-refresh.job.js';
import { StoreRefreshesService } from './store-refreshes.service.js';
import { StoreRefreshesRepository } from './store-refreshes.repository.js';

@Module({
  imports: [
    AlertsModule,
    AppsModule,
    ExternalPurchasesModule,
    ExternalReportsModule,
    PurchasesModule,
    StoreTasksModule,
    UnknownValuesModule,
    TypeOrmModule.forFeature([SharedStoreBudget, StoreBudget, StoreRefresh]),
  ],
  controllers: [CredentialsCheckController],
  providers: [
    StoreMetrics,
    StoreConnectionsService,
    StoreBudgetsRepository,
    StoreBudgetsService,
    OverdueSubscriptionsJob,
    SilentAppsRepository,
    SilentAppsJob,
    StoreRefreshJob,
    StoreRefreshesRepository,
    StoreRefreshesService,
    CredentialHealthService,
    CredentialsCheckService,
    ExternalReportDeliveryService,
  ],
  exports: [
    StoreConnectionsService,
    StoreBudgetsService,
    CredentialHealthService,
    CredentialsCheckService,
    ExternalReportDeliveryService,
    StoreRefreshesService,
  ],
})
export class StoresModule {}
