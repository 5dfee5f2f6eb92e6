import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { Plan } from '../../../libs/stores/index.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ErasureService } from '../../support/lifecycle/erasure.service.js';
import { assertStill } from './test-clock.policy.js';
import { type TestClock, TestClocksRepository } from './test-clocks.repository.js';

const RENEW: Plan = ['renew'];

/** Clocks for Test Store customers, which let months pass within seconds. */
@Injectable()
export class TestClocksService {
  constructor(
    private readonly repository: TestClocksRepository,
    private readonly erasures: ErasureService,
    private readonly writes: ProjectWritesService,
  ) {}

  create(write: ProjectWrite, name: string, frozenAtMs: number, plan = RENEW): Promise<TestClock> {
    return this.writes.run(write, async (tx) => {
      const nowMs = tx.nowMs();
      const created: TestClock = {
        id: newId('testClock', nowMs),
        name,
        frozenAtMs,
        targetAtMs: null,
        progress: null,
        failed: false,
        stoppedAt: null,
        plan,
        createdAt: new Date(nowMs),
        customerIds: [],
        periodEndsAtMs: null,
      };
      await this.repository.insert(tx, write.projectId, created);
      await tx.audit({ action: 'created', target: 'test_clock', targetId: created.id });
      return created;
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<TestClock> {
    const clock = await this.repository.find(projectId, id);
    if (!clock) throw ApiError.missing('test clock', id);
    return clock;
  }

  /** Up to `limit + 1` clocks, oldest first. @throws ApiError 400 for a cursor of another list */
  page(projectId: string, page: PageRequest): Promise<TestClock[]> {
    return this.repository.page(projectId, page);
  }

  /** Changes the given fields. A new plan applies from the customers' current time. @throws ApiError 404; 409 while it advances */
  update(write: ProjectWrite, id: string, change: { name?: string; plan?: Plan }): Promise<TestClock> {
    return this.writes.run(write, async (tx) => {
      const present = await this.lock(tx, id);
      const { name = present.name, plan = present.plan } = change;
      if (change.plan !== undefined) assertStill(present);
      const updated = { ...present, name, plan };
      await this.repository.update(tx, write.projectId, updated);
      const data = auditChanges(present, updated, ['name', 'plan']);
      await tx.audit({ action: 'updated', target: 'test_clock', targetId: id, data });
      return updated;
    });
  }

  /** Deletes a clock and its customers immediately. Returns the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await this.lock(tx, id);
      const customerIds = await this.repository.lockCustomers(tx, projectId, id);
      for (const customerId of customerIds) await this.erasures.eraseSoon(tx, { projectId, customerId });
      await this.repository.remove(tx, projectId, id);
      const data = { customers: customerIds.length };
      await tx.audit({ action: 'deleted', target: 'test_clock', targetId: id, data });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  private async lock(tx: WriteTransaction, id: string): Promise<TestClock> {
    const clock = await this.repository.lock(tx, tx.write.projectId, id);
    if (!clock) throw ApiError.missing('test clock', id);
    return clock;
  }
}
