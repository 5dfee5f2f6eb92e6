import { Module } from '@nestjs/common';
import { AttributesModule } from '../attributes/attributes.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { CustomerLifecycleService } from './customer-lifecycle.service.js';
import { CustomerLifecycleV1Controller } from './customer-lifecycle.v1.controller.js';
import { CustomerLifecycleV2Controller } from './customer-lifecycle.v2.controller.js';
import { ErasureJob } from './erasure.job.js';
import { ErasureRepository } from './erasure.repository.js';

/** Customers that backends create and delete. */
@Module({
  imports: [AttributesModule, CatalogModule, CustomersModule],
  controllers: [CustomerLifecycleV1Controller, CustomerLifecycleV2Controller],
  providers: [CustomerLifecycleService, ErasureJob, ErasureRepository],
  exports: [CustomerLifecycleService],
})
export class CustomerLifecycleModule {}
