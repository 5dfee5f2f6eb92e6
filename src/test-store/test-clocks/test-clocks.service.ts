import { Inject, Injectable } from '@nestjs/common';
import { addPeriods, type Clock, newId, parsePeriod } from '../../../libs/kernel/index.js';
import type { Plan } from '../../../libs/stores/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { changedFields } from '../../platform/audit/changed-fields.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { CustomerLifecycleService } from '../../support/lifecycle/customer-lifecycle.service.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { placeByCreation, startOf } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { ClockMembersService } from './clock-members.service.js';
import { TestClockJob } from './test-clock.job.js';
import { type TestClock, TestClocksRepository } from './test-clocks.repository.js';

const DAY_MS = 86_400_000;
/** How far a clock advances at a time. */
const MAX_ADVANCE_MS = 2 * 366 * DAY_MS;
/** Periods of one subscription that it may run through at a time. */
const MAX_PERIODS = 500;

const RENEW: Plan = ['renew'];

/** Clocks by which customers of the Test Store live, so that months pass in a moment. */
@Injectable()
export class TestClocksService {
  constructor(
    private readonly repository: TestClocksRepository,
    private readonly members: ClockMembersService,
    private readonly customers: CustomersService,
    private readonly lifecycle: CustomerLifecycleService,
    private readonly catalogs: CatalogService,
    private readonly job: TestClockJob,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  create(write: ProjectWrite, name: string, frozenAtMs: number, plan = RENEW): Promise<TestClock> {
    const nowMs = this.clock.nowMs();
    const created: TestClock = {
      id: newId('testClock', nowMs),
      name,
      frozenAtMs,
      targetAtMs: null,
      failed: false,
      plan,
      createdAt: new Date(nowMs),
      customerIds: [],
    };
    return this.database.transaction(async (tx) => {
      await this.repository.insert(tx, write.projectId, created);
      await this.record(tx, write, 'created', created.id);
      return created;
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<TestClock> {
    const clock = await this.repository.find(this.database, projectId, id);
    if (!clock) throw ApiError.missing('test clock', id);
    return clock;
  }

  /** One more than a page, oldest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, page: PageRequest): Promise<TestClock[]> {
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.repository.find(this.database, projectId, id);
      return found && placeByCreation(found);
    });
    return this.repository.page(this.database, projectId, page, after);
  }

  /** Changes what is given. A new plan counts from where its customers are. @throws ApiError 404; 409 while it advances */
  update(write: ProjectWrite, id: string, change: { name?: string; plan?: Plan }): Promise<TestClock> {
    return this.database.transaction(async (tx) => {
      const present = await this.lock(tx, write, id);
      const { name = present.name, plan = present.plan } = change;
      if (change.plan !== undefined) assertStill(present);
      const updated = { ...present, name, plan };
      await this.repository.update(tx, write.projectId, updated);
      await this.record(tx, write, 'updated', id, { changed_fields: changedFields(present, updated) });
      return updated;
    });
  }

  /**
   * Has a clock brought to a later time, in the background.
   * @throws ApiError 400 for a time that is not later, or too far; 404; 409 while it advances
   */
  async advance(write: ProjectWrite, id: string, toMs: number): Promise<TestClock> {
    const catalog = await this.catalogs.get(write.projectId);
    return this.database.transaction(async (tx) => {
      const present = await this.lock(tx, write, id);
      assertStill(present);
      const fromMs = present.targetAtMs ?? present.frozenAtMs;
      if (present.failed ? toMs < fromMs : toMs <= fromMs) {
        throw ApiError.parameter('frozen_time', `frozen_time must be later than ${fromMs}.`);
      }
      if (toMs - present.frozenAtMs > MAX_ADVANCE_MS) {
        throw ApiError.parameter('frozen_time', 'A test clock advances by two years at a time.');
      }
      for (const sold of await this.repository.soldProducts(tx, write.projectId, id)) {
        this.assertFewPeriods(catalog, sold, present.frozenAtMs, toMs);
      }
      await this.repository.setTarget(tx, write.projectId, id, toMs);
      await this.record(tx, write, 'advanced', id, { from: present.frozenAtMs, to: toMs });
      this.wake(tx);
      return { ...present, targetAtMs: toMs, failed: false };
    });
  }

  /** @throws ApiError 404 for an unknown clock or customer; 409 and 422 as `ClockMembersService` */
  attach(write: ProjectWrite, id: string, appUserId: string): Promise<TestClock> {
    const { projectId } = write;
    return this.database.transaction(async (tx) => {
      const clock = await this.members.lockOpen(tx, projectId, id);
      const customer = await this.customers.lockExisting(tx, projectId, appUserId, 'customer_id');
      if (await this.members.attach(tx, projectId, clock, customer, 'customer_id')) this.wake(tx);
      await this.record(tx, write, 'customer_attached', id, { customer_id: customer.originalAppUserId });
      return (await this.repository.find(tx, projectId, id)) ?? clock;
    });
  }

  /** Deletes a clock and its customers for good: all gone at once. Gives the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    await this.database.transaction(async (tx) => {
      await this.lock(tx, write, id);
      const customerIds = await this.repository.lockCustomers(tx, projectId, id);
      for (const customerId of customerIds) await this.lifecycle.eraseSoon(tx, { projectId, customerId });
      await this.repository.remove(tx, projectId, id);
      await this.record(tx, write, 'deleted', id, { customers: customerIds.length });
    });
    return this.clock.nowMs();
  }

  private async lock(tx: Transaction, { projectId }: ProjectWrite, id: string): Promise<TestClock> {
    const clock = await this.repository.lock(tx, projectId, id);
    if (!clock) throw ApiError.missing('test clock', id);
    return clock;
  }

  /** Other processes see it at their next look. */
  private wake(tx: Transaction): void {
    if (this.config.runsJobs) tx.afterCommit(() => void this.job.run());
  }

  private assertFewPeriods(
    catalog: Catalog,
    { appId, storeProductId }: { appId: string | null; storeProductId: string },
    fromMs: number,
    toMs: number,
  ): void {
    const period = parsePeriod(catalog.productOf(appId, storeProductId)?.duration ?? 'P1M');
    if (!period || addPeriods(fromMs, period, MAX_PERIODS) >= toMs) return;
    throw ApiError.parameter(
      'frozen_time',
      `${storeProductId} would be renewed more than ${MAX_PERIODS} times: advance by smaller steps.`,
    );
  }

  private record(
    tx: Transaction,
    write: ProjectWrite,
    action: string,
    targetId: string,
    data: Record<string, unknown> = {},
  ): Promise<void> {
    return this.audit.record(tx, write, { action, target: 'test_clock', targetId, data });
  }
}

/** @throws ApiError 409 while customers are on their way */
function assertStill({ targetAtMs, failed }: TestClock): void {
  if (targetAtMs !== null && !failed) throw new ApiError('conflict', 'The test clock is advancing.');
}
