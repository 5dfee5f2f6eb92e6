import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../recording/purchases.module.js';
import { BalanceAdjustmentsService } from './balance-adjustments.service.js';
import { BalancesService } from './balances.service.js';
import { BalancesV1Controller } from './balances.v1.controller.js';
import { BalancesV2Controller } from './balances.v2.controller.js';
import { CurrencySpendsService } from './currency-spends.service.js';
import { CustomerBalancesV1Controller } from './customer-balances.v1.controller.js';
import { CurrenciesModule } from '../currencies/currencies.module.js';

/** Reads and adjusts balances. Purchases are credited through the currencies module instead. */
@Module({
  imports: [CatalogModule, CurrenciesModule, CustomersModule, PurchasesModule],
  controllers: [BalancesV1Controller, CustomerBalancesV1Controller, BalancesV2Controller],
  providers: [BalanceAdjustmentsService, BalancesService, CurrencySpendsService],
  exports: [BalancesService],
})
export class BalancesModule {}
