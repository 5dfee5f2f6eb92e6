import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ProductsModule } from '../../catalog/products/products.module.js';
import { BalancesRepository } from './balances.repository.js';
import { CurrencyAdjustments } from './currency-adjustments.js';
import { CurrencyCredits } from './currency-credits.js';
import { CurrencyReturns } from './currency-returns.js';
import { CurrencyReturnsRepository } from './currency-returns.repository.js';
import { VirtualCurrenciesController } from './virtual-currencies.controller.js';
import { VirtualCurrenciesRepository } from './virtual-currencies.repository.js';
import { VirtualCurrenciesService } from './virtual-currencies.service.js';
import { VirtualCurrencyLot } from './virtual-currency-lot.entity.js';
import { VirtualCurrencyTransaction } from './virtual-currency-transaction.entity.js';
import { VirtualCurrency, VirtualCurrencyGrant } from './virtual-currency.entity.js';

/** Virtual currencies: definitions, and credits by products. */
@Module({
  imports: [
    CatalogModule,
    CustomersModule,
    ProductsModule,
    TypeOrmModule.forFeature([
      VirtualCurrency,
      VirtualCurrencyGrant,
      VirtualCurrencyLot,
      VirtualCurrencyTransaction,
    ]),
  ],
  controllers: [VirtualCurrenciesController],
  providers: [
    BalancesRepository,
    CurrencyAdjustments,
    CurrencyCredits,
    CurrencyReturns,
    CurrencyReturnsRepository,
    VirtualCurrenciesRepository,
    VirtualCurrenciesService,
  ],
  exports: [CurrencyAdjustments, CurrencyCredits, CurrencyReturns],
})
export class CurrenciesModule {}
