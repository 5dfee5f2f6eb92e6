import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { ProductsModule } from '../products/products.module.js';
import { BalancesRepository } from './balances.repository.js';
import { BalancesService } from './balances.service.js';
import { BalancesV1Controller } from './balances.v1.controller.js';
import { BalancesV2Controller } from './balances.v2.controller.js';
import { CurrencyCredits } from './currency-credits.js';
import { CurrencyReturns } from './currency-returns.js';
import { CurrencyReturnsRepository } from './currency-returns.repository.js';
import { VirtualCurrenciesController } from './virtual-currencies.controller.js';
import { VirtualCurrenciesRepository } from './virtual-currencies.repository.js';
import { VirtualCurrenciesService } from './virtual-currencies.service.js';
import { VirtualCurrency, VirtualCurrencyGrant } from './virtual-currency.entity.js';

/** Virtual currencies: what a project defines, what products credit, what customers hold and spend. */
@Module({
  imports: [
    CatalogModule,
    CustomersModule,
    ProductsModule,
    TypeOrmModule.forFeature([VirtualCurrency, VirtualCurrencyGrant]),
  ],
  controllers: [BalancesV1Controller, BalancesV2Controller, VirtualCurrenciesController],
  providers: [
    BalancesRepository,
    BalancesService,
    CurrencyCredits,
    CurrencyReturns,
    CurrencyReturnsRepository,
    VirtualCurrenciesRepository,
    VirtualCurrenciesService,
  ],
  exports: [CurrencyCredits, CurrencyReturns, BalancesService],
})
export class CurrenciesModule {}
