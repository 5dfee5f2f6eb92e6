import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ProductsModule } from '../../catalog/products/products.module.js';
import { BalancesRepository } from './balances.repository.js';
import { CurrencyAdjustmentsService } from './currency-adjustments.service.js';
import { CurrencyCreditsService } from './currency-credits.service.js';
import { CurrencyReturnsService } from './currency-returns.service.js';
import { CurrencyImportsRepository } from './currency-imports.repository.js';
import { CurrencyImportsService } from './currency-imports.service.js';
import { CurrencyReturnsRepository } from './currency-returns.repository.js';
import { VirtualCurrenciesController } from './virtual-currencies.controller.js';
import { VirtualCurrenciesRepository } from './virtual-currencies.repository.js';
import { VirtualCurrenciesService } from './virtual-currencies.service.js';
import { VirtualCurrencyLot } from './virtual-currency-lot.entity.js';
import { VirtualCurrencyTransaction } from './virtual-currency-transaction.entity.js';
import { VirtualCurrency, VirtualCurrencyGrant } from './virtual-currency.entity.js';

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
    CurrencyCreditsService,
    CurrencyImportsService,
    CurrencyImportsRepository,
    CurrencyReturnsService,
    CurrencyReturnsRepository,
    VirtualCurrenciesRepository,
    VirtualCurrenciesService,
  ],
  exports: [
    CurrencyAdjustmentsService,
    CurrencyCreditsService,
    CurrencyImportsService,
    CurrencyReturnsService,
  ],
})
export class CurrenciesModule {}
