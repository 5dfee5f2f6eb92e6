import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../recording/purchases.module.js';
import { TransfersService } from './transfers.service.js';
import { TransfersV2Controller } from './transfers.v2.controller.js';

@Module({
  imports: [CatalogModule, CustomersModule, PurchasesModule],
  controllers: [TransfersV2Controller],
  providers: [TransfersService],
})
export class TransfersModule {}
