import { Global, Module } from '@nestjs/common';
import { TestClockMembership } from '../../support/lifecycle/test-clock-membership.js';
import { ClockMembersService } from './clock-members.service.js';
import { TestClocksRepository } from './test-clocks.repository.js';

/** Who lives by which test clock. Global, because the support wing below asks for `TestClockMembership`. */
@Global()
@Module({
  providers: [
    TestClocksRepository,
    ClockMembersService,
    { provide: TestClockMembership, useExisting: ClockMembersService },
  ],
  exports: [TestClocksRepository, ClockMembersService, TestClockMembership],
})
export class ClockMembersModule {}
