import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { TestPurchasesController } from './test-purchases.controller.js';
import { TestPurchasesService } from './test-purchases.service.js';

@Module({
  imports: [CatalogModule, CustomersModule, PurchasesModule],
  controllers: [TestPurchasesController],
  providers: [TestPurchasesService],
})
export class TestPurchasesModule {}
