import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { Plan } from '../../../libs/stores/index.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ErasureService } from '../../support/lifecycle/erasure.service.js';
import { assertStill, assertAhead, assertFewPeriods } from './test-clock.policy.js';
import { type TestClock, TestClocksRepository } from './test-clocks.repository.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { TestClockJob } from './test-clock.job.js';
import { ClockMembersService } from './clock-members.service.js';

const RENEW: Plan = ['renew'];

/** Clocks for Test Store customers, which let months pass within seconds. */
@Injectable()
export class TestClocksService {
  constructor(
    private readonly repository: TestClocksRepository,
    private readonly members: ClockMembersService,
    private readonly catalogs: CatalogService,
    private readonly erasures: ErasureService,
    private readonly job: TestClockJob,
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

  /** Runs in the background. @throws ApiError 400 for a time not later or too far ahead; 404; 409 while it advances */
  async advance(write: ProjectWrite, id: string, toMs: number): Promise<TestClock> {
    const catalog = await this.catalogs.get(write.projectId);
    return this.writes.run(write, async (tx) => {
      const present = await this.lock(tx, id);
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

  /** @throws ApiError 404 */
  private async lock(tx: WriteTransaction, id: string): Promise<TestClock> {
    const clock = await this.repository.lock(tx, tx.write.projectId, id);
    if (!clock) throw ApiError.missing('test clock', id);
    return clock;
  }
}
