import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomerLifecycleModule } from '../../support/lifecycle/customer-lifecycle.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { ClockAdvanceRepository } from './clock-advance.repository.js';
import { ClockMembersModule } from './clock-members.module.js';
import { TestClockJob } from './test-clock.job.js';
import { TestClocksController } from './test-clocks.controller.js';
import { TestClocksService } from './test-clocks.service.js';

@Module({
  imports: [CatalogModule, ClockMembersModule, CustomerLifecycleModule, CustomersModule, PurchasesModule],
  controllers: [TestClocksController],
  providers: [TestClocksService, ClockAdvanceRepository, TestClockJob],
})
export class TestClocksModule {}
