import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { TestClockJob } from './test-clock.job.js';
import { assertAhead, assertFewPeriods, assertStill } from './test-clock.policy.js';
import { type TestClock, TestClocksRepository } from './test-clocks.repository.js';

@Injectable()
export class TestClockAdvanceService {
  constructor(
    private readonly repository: TestClocksRepository,
    private readonly catalogs: CatalogService,
    private readonly job: TestClockJob,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Runs in the background. @throws ApiError 400 for a time not later or too far ahead; 404; 409 while it advances */
  async advance(write: ProjectWrite, id: string, toMs: number): Promise<TestClock> {
    const catalog = await this.catalogs.get(write.projectId);
    return this.writes.run(write, async (tx) => {
      const present = await this.repository.lock(tx, write.projectId, id);
      if (!present) throw ApiError.missing('test clock', id);
      assertStill(present);
      assertAhead(present, toMs);
      for (const sold of await this.repository.soldProducts(tx, write.projectId, id)) {
        assertFewPeriods(catalog, sold, present.frozenAtMs, toMs);
      }
      await this.repository.setTarget(tx, write.projectId, id, toMs);
      const data = { from: present.frozenAtMs, to: toMs };
      await tx.audit({ action: 'advanced', target: 'test_clock', targetId: id, data });
      tx.afterCommit(() => this.job.wake());
      return (await this.repository.find(write.projectId, id, tx)) ?? present;
    });
  }
}
