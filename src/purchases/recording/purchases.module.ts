import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CurrenciesModule } from '../currencies/currencies.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ListeningModule } from '../../platform/listening/listening.module.js';
import { DeliveriesModule } from '../../webhooks/deliveries/deliveries.module.js';
import { PurchaseLookupsModule } from '../lookups/purchase-lookups.module.js';
import { PlayCancellationsModule } from '../play-cancellations/play-cancellations.module.js';
import { OwnershipModule } from '../ownership/ownership.module.js';
import { StoreTasksModule } from '../store-tasks/store-tasks.module.js';
import { UnknownValuesModule } from '../unknown-values/unknown-values.module.js';
import { ChangesRepository } from './changes.repository.js';
import { EngineMetrics } from './engine.metrics.js';
import { PostedPurchasesService } from './posted-purchases.service.js';
import { PurchaseMovesService } from './purchase-moves.service.js';
import { PurchaseRecorder } from './purchase.recorder.js';
import { ReportedPurchasesService } from './reported-purchases.service.js';
import { EntitlementGrants } from '../../catalog/shared/entitlement-grants.js';
import { EntitlementGrantsRepository } from './entitlement-grants.repository.js';
import { ChartChange } from './chart-change.entity.js';
import { StoreTransaction } from './store-transaction.entity.js';
import { StoreTransactionKey } from './store-transaction-key.entity.js';
import { SubscriptionAlias } from './subscription-alias.entity.js';
import { SubscriptionKeysService } from './subscription-keys.service.js';
import { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionIdentifier } from './subscription-identifier.entity.js';
import './customer-rows.sql.js';

/**
 * Records changes of purchases. Also exports what decides their owners and what finds them. Global, because the
 * catalog, a lower area, injects `EntitlementGrants`.
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ChartChange,
      StoreTransaction,
      StoreTransactionKey,
      SubscriptionAlias,
      SubscriptionEntity,
      SubscriptionIdentifier,
    ]),
    CatalogModule,
    CurrenciesModule,
    CustomersModule,
    DeliveriesModule,
    ListeningModule,
    OwnershipModule,
    PlayCancellationsModule,
    PurchaseLookupsModule,
    StoreTasksModule,
    UnknownValuesModule,
  ],
  providers: [
    { provide: EntitlementGrants, useClass: EntitlementGrantsRepository },
    ChangesRepository,
    EngineMetrics,
    PostedPurchasesService,
    PurchaseMovesService,
    PurchaseRecorder,
    ReportedPurchasesService,
    SubscriptionKeysService,
  ],
  exports: [
    EntitlementGrants,
    OwnershipModule,
    PostedPurchasesService,
    PurchaseLookupsModule,
    PurchaseMovesService,
    PurchaseRecorder,
    ReportedPurchasesService,
    SubscriptionKeysService,
  ],
})
export class PurchasesModule {}
