import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttributesModule } from '../attributes/attributes.module.js';
import { CustomerListModule } from '../customer-list/customer-list.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ErasedPurchasesModule } from '../../purchases/erased/erased-purchases.module.js';
import { CustomerErasure } from './customer-erasure.entity.js';
import { CustomerCreationService } from './customer-creation.service.js';
import { CustomerDeletionService } from './customer-deletion.service.js';
import { CustomerLifecycleV1Controller } from './customer-lifecycle.v1.controller.js';
import { CustomerLifecycleV2Controller } from './customer-lifecycle.v2.controller.js';
import { ErasureJob } from './erasure.job.js';
import { ErasureRepository } from './erasure.repository.js';
import { ErasureService } from './erasure.service.js';

@Module({
  imports: [
    AttributesModule,
    CatalogModule,
    CustomerListModule,
    CustomersModule,
    ErasedPurchasesModule,
    TypeOrmModule.forFeature([CustomerErasure]),
  ],
  controllers: [CustomerLifecycleV1Controller, CustomerLifecycleV2Controller],
  providers: [
    CustomerCreationService,
    CustomerDeletionService,
    ErasureJob,
    ErasureRepository,
    ErasureService,
  ],
  exports: [ErasureService],
})
export class CustomerLifecycleModule {}
