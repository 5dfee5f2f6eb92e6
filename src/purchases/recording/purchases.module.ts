import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CurrenciesModule } from '../currencies/currencies.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ErasedPurchasesModule } from '../erased/erased-purchases.module.js';
import { ListeningModule } from '../../platform/listening/listening.module.js';
import { StoreTasksModule } from '../store-tasks/store-tasks.module.js';
import { WebhooksModule } from '../../webhooks/webhooks/webhooks.module.js';
import { ChangeWriterService } from './change-writer.service.js';
import { ChangesRepository } from './changes.repository.js';
import { PurchaseCurrenciesService } from '../currencies/purchase-currencies.service.js';
import { RecordedEventsService } from './recorded-events.service.js';
import { ReportedOwnersService } from '../ownership/reported-owners.service.js';
import { OwnershipChangesRepository } from '../ownership/ownership-changes.repository.js';
import { OwnershipHistoryService } from '../ownership/ownership-history.service.js';
import { OwnershipHistoryController } from '../ownership/ownership-history.v2.controller.js';
import { OneTimePurchasesV2Controller } from '../one-time/one-time-purchases.v2.controller.js';
import { OwnershipService } from '../ownership/ownership.service.js';
import { PostedPurchasesService } from './posted-purchases.service.js';
import { PurchaseClaims } from '../ownership/purchase-claims.service.js';
import { PurchaseLookupsRepository } from '../lookups/purchase-lookups.repository.js';
import { PurchaseLookupsService } from '../lookups/purchase-lookups.service.js';
import { ImportedKeysService } from '../lookups/imported-keys.service.js';
import { EngineMetrics } from './engine.metrics.js';
import { PurchaseRecorder } from './purchase.recorder.js';
import { OneTimeRefundsService } from '../../stores/actions/one-time-refunds.service.js';
import { PurchasesQueryService } from '../lookups/purchases-query.service.js';
import { PurchasesRepository } from '../lookups/purchases.repository.js';
import { PurchasesV2Controller } from '../lookups/purchases.v2.controller.js';
import { SubscriptionRefundsService } from '../../stores/actions/subscription-refunds.service.js';
import { ReportedPurchasesService } from './reported-purchases.service.js';
import { OneTimeIdentifier } from '../one-time/one-time-identifier.entity.js';
import { OneTimePurchaseEntity } from '../one-time/one-time-purchase.entity.js';
import { OwnershipChangeEntity } from '../ownership/ownership-change.entity.js';
import { StoreTransaction } from './store-transaction.entity.js';
import { StoreTransactionKey } from './store-transaction-key.entity.js';
import { SubscriptionAlias } from './subscription-alias.entity.js';
import { SubscriptionKeysService } from './subscription-keys.service.js';
import { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionIdentifier } from './subscription-identifier.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      OneTimeIdentifier,
      OneTimePurchaseEntity,
      OwnershipChangeEntity,
      StoreTransaction,
      StoreTransactionKey,
      SubscriptionAlias,
      SubscriptionEntity,
      SubscriptionIdentifier,
    ]),
    CatalogModule,
    CurrenciesModule,
    CustomersModule,
    ErasedPurchasesModule,
    ListeningModule,
    StoreTasksModule,
    WebhooksModule,
  ],
  controllers: [PurchasesV2Controller, OneTimePurchasesV2Controller, OwnershipHistoryController],
  providers: [
    ChangesRepository,
    OwnershipChangesRepository,
    OwnershipHistoryService,
    PurchasesRepository,
    PurchasesQueryService,
    PurchaseLookupsRepository,
    PurchaseLookupsService,
    OneTimeRefundsService,
    SubscriptionKeysService,
    SubscriptionRefundsService,
    OwnershipService,
    ChangeWriterService,
    EngineMetrics,
    ImportedKeysService,
    PurchaseCurrenciesService,
    RecordedEventsService,
    ReportedOwnersService,
    PurchaseRecorder,
    PurchaseClaims,
    PostedPurchasesService,
    ReportedPurchasesService,
  ],
  exports: [
    ImportedKeysService,
    OwnershipService,
    RecordedEventsService,
    PurchaseRecorder,
    PurchaseClaims,
    PostedPurchasesService,
    PurchaseLookupsService,
    OneTimeRefundsService,
    SubscriptionKeysService,
    SubscriptionRefundsService,
    ReportedPurchasesService,
  ],
})
export class PurchasesModule {}
