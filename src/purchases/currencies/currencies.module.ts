import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ProductsModule } from '../../catalog/products/products.module.js';
import { BalancesRepository } from './balances.repository.js';
import { CurrencyAdjustmentsService } from './currency-adjustments.service.js';
import { CurrencyImportsRepository } from './currency-imports.repository.js';
import { CurrencyImportsService } from './currency-imports.service.js';
import { CurrencyReturnsRepository } from './currency-returns.repository.js';
import { PurchaseCurrenciesService } from './purchase-currencies.service.js';
import { VirtualCurrenciesController } from './virtual-currencies.controller.js';
import { VirtualCurrenciesRepository } from './virtual-currencies.repository.js';
import { VirtualCurrenciesService } from './virtual-currencies.service.js';
import { VirtualCurrencyLot } from './virtual-currency-lot.entity.js';
import { VirtualCurrencyTransaction } from './virtual-currency-transaction.entity.js';
import { VirtualCurrency, VirtualCurrencyGrant } from './virtual-currency.entity.js';
import './customer-rows.sql.js';

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
    CurrencyAdjustmentsService,
    CurrencyImportsService,
    CurrencyImportsRepository,
    CurrencyReturnsRepository,
    PurchaseCurrenciesService,
    VirtualCurrenciesRepository,
    VirtualCurrenciesService,
  ],
  exports: [CurrencyAdjustmentsService, CurrencyImportsService, PurchaseCurrenciesService],
})
export class CurrenciesModule {}
