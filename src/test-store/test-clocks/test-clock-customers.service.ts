import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { ClockMembersService } from './clock-members.service.js';
import { TestClockJob } from './test-clock.job.js';
import { type TestClock, TestClocksRepository } from './test-clocks.repository.js';

@Injectable()
export class TestClockCustomersService {
  constructor(
    private readonly repository: TestClocksRepository,
    private readonly members: ClockMembersService,
    private readonly job: TestClockJob,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 404 for an unknown clock or customer; 409 and 422 as in `ClockMembersService` */
  attach(write: ProjectWrite, id: string, appUserId: string): Promise<TestClock> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const clock = await this.members.lockOpen(tx, projectId, id);
      const { customer, advances } = await this.members.attachNamed(tx, projectId, clock, appUserId);
      if (advances) tx.afterCommit(() => this.job.wake());
      const data = { customer_id: customer.originalAppUserId };
      await tx.audit({ action: 'customer_attached', target: 'test_clock', targetId: id, data });
      return (await this.repository.find(projectId, id, tx)) ?? clock;
    });
  }
}
