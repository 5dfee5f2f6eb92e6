import { Module } from '@nestjs/common';
import { BalancesModule } from './balances/balances.module.js';
import { CurrenciesModule } from './currencies/currencies.module.js';
import { DueWorkModule } from './due-work/due-work.module.js';
import { ErasedPurchasesModule } from './erased/erased-purchases.module.js';
import { ExternalPurchasesModule } from './external-purchases/external-purchases.module.js';
import { GrantsModule } from './grants/grants.module.js';
import { OneTimePurchasesModule } from './one-time/one-time-purchases.module.js';
import { PurchasesModule } from './recording/purchases.module.js';
import { SelfCheckModule } from './self-check/self-check.module.js';
import { StoreTasksModule } from './store-tasks/store-tasks.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';
import { TransfersModule } from './transfers/transfers.module.js';
import { UnknownValuesModule } from './unknown-values/unknown-values.module.js';

/** Customers' purchases: recording, reading, and work that becomes due. */
@Module({
  imports: [
    PurchasesModule,
    OneTimePurchasesModule,
    SubscriptionsModule,
    TransactionsModule,
    GrantsModule,
    TransfersModule,
    CurrenciesModule,
    BalancesModule,
    StoreTasksModule,
    DueWorkModule,
    ErasedPurchasesModule,
    ExternalPurchasesModule,
    SelfCheckModule,
    UnknownValuesModule,
  ],
})
export class PurchasesAreaModule {}
