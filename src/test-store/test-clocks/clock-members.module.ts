import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { TestClockMembership } from '../../support/lifecycle/test-clock-membership.js';
import { ClockMembersService } from './clock-members.service.js';
import { TestClockRow } from './test-clock.entity.js';
import { TestClocksRepository } from './test-clocks.repository.js';

/** Assigns customers to test clocks. Global, because the support area below injects `TestClockMembership`. */
@Global()
@Module({
  imports: [CustomersModule, TypeOrmModule.forFeature([TestClockRow])],
  providers: [
    TestClocksRepository,
    ClockMembersService,
    { provide: TestClockMembership, useExisting: ClockMembersService },
  ],
  exports: [TestClocksRepository, ClockMembersService, TestClockMembership],
})
export class ClockMembersModule {}
