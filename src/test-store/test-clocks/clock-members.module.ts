import { Module } from '@nestjs/common';
import { ClockMembersService } from './clock-members.service.js';
import { TestClocksRepository } from './test-clocks.repository.js';

/** Who lives by which test clock. */
@Module({
  providers: [TestClocksRepository, ClockMembersService],
  exports: [TestClocksRepository, ClockMembersService],
})
export class ClockMembersModule {}
