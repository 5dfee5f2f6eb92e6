import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import type { AppType } from '../../platform/principal/app-types.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { OldestDue } from '../../platform/jobs/due-age.js';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import type { AppPlace } from '../../platform/jobs/project-claims.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import { type Lease, type LeasedItem, type LeasedWork } from '../../platform/jobs/leased-work.js';
import { LogService } from '../../platform/observability/log.service.js';
import type {
  StoreTask,
  StoreTaskHandler,
  StoreTaskKind,
  StoreTaskKey,
  StoreTaskResult,
  NewStoreTask,
} from './store-task.js';
import { StoreTasksRepository } from './store-tasks.repository.js';

const SCHEDULE_JOB = jobName('store_tasks_schedule');
const LEASE_MS = 120_000;
const POLL_MS = 2_000;
const SLOTS = { total: 20, perKey: 5 };
const AFTER_ERROR_MS = 60_000;
const MAX_ERROR_LENGTH = 500;

const failedTo = {
  claim: 'tasks of stores could not be claimed; the next poll tries again',
  work: 'the result of a task was not recorded; it is done again when its lease ends',
  renew: 'leases of tasks could not be renewed',
};

/** Runs background work with stores. A task never runs twice at once, and survives crashes. */
@Injectable()
export class StoreTasksService extends LeasedWorkJob<StoreTask & LeasedItem> {
  private readonly handlers = new Map<StoreTaskKind, StoreTaskHandler>();
  protected readonly leased: LeasedWork<StoreTask & LeasedItem>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: StoreTasksRepository,
    private readonly apps: AppsService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    super();
    this.leased = leasedWork.createByApp<StoreTask & LeasedItem>({
      name: 'store_tasks',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      queue: repository,
      work: (task, lease) => this.work(task, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  handle(handler: StoreTaskHandler): void {
    this.handlers.set(handler.kind, handler);
  }

  /** Adds tasks that run as soon as the transaction commits. */
  async addIn(tx: Transaction, projectId: string, tasks: NewStoreTask[]): Promise<void> {
    await this.repository.add(tx, projectId, tasks);
    for (const { appId } of tasks) tx.afterCommit(() => this.wake({ projectId, appId }));
  }

  /** Adds tasks that are not due yet. Returns false if they all exist. */
  async addForLater(tx: Transaction, projectId: string, ...tasks: NewStoreTask[]): Promise<boolean> {
    return (await this.repository.add(tx, projectId, tasks)) > 0;
  }

  /** Runs a task of some apps now: adds it or makes the waiting one due. A running task runs again afterwards. */
  async request(projectId: string, kind: StoreTaskKind, appIds: string[]): Promise<void> {
    await this.repository.request(projectId, kind, appIds, new Date(this.clock.nowMs()));
    for (const appId of appIds) this.wake({ projectId, appId });
  }

  exists(place: StoreTaskKey): Promise<boolean> {
    return this.repository.exists(place);
  }

  /** Call repeatedly: new apps need tasks too, and a failure is only logged. */
  schedule(kind: StoreTaskKind, types: readonly AppType[], keys: readonly string[] = ['']): Promise<void> {
    return runRound(
      SCHEDULE_JOB,
      () => this.repository.addForApps(kind, types, keys, new Date(this.clock.nowMs())),
      (error) => this.log.error({ err: error, kind }, 'store tasks were not scheduled; they are retried'),
    );
  }

  /** Removes a task. Returns null if there was none. */
  remove(tx: Transaction, place: StoreTaskKey): Promise<Pick<StoreTask, 'markAt'> | null> {
    return this.repository.remove(tx, place);
  }

  ofKind(
    projectId: string,
    kind: StoreTaskKind,
  ): Promise<{ appId: string; markAt: Date | null; error: string | null }[]> {
    return this.repository.ofKind(projectId, kind);
  }

  oldestDue(): Promise<OldestDue> {
    return this.repository.oldestDue();
  }

  @Interval('store-tasks', POLL_MS)
  override wake(app?: AppPlace): void {
    super.wake(app);
  }

  private async work(task: StoreTask, lease: Lease): Promise<void> {
    const result = await this.resultOf(task);
    await lease.record((leaseUntil) => {
      const now = new Date(this.clock.nowMs());
      if (result === 'done') return this.repository.done(task, leaseUntil, now);
      const { againAtMs, error, markAt = task.markAt } = result;
      return this.repository.again(task, leaseUntil, {
        dueAt: new Date(againAtMs),
        attempts: error === null ? 0 : Math.max(0, task.attempts) + 1,
        error: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
        markAt,
        now,
      });
    });
  }

  private async resultOf(task: StoreTask): Promise<StoreTaskResult> {
    try {
      const app = await this.apps.find(task.projectId, task.appId);
      if (!app) return 'done';
      // A task added by a later version of this server waits for that version.
      const result = await this.handlers.get(task.kind)?.work(task, app);
      return result ?? { againAtMs: this.clock.nowMs() + AFTER_ERROR_MS, error: null };
    } catch (error) {
      const { projectId, appId, kind } = task;
      this.log.error({ err: error, projectId, appId, kind }, 'a store task failed');
      const againAtMs = this.clock.nowMs() + AFTER_ERROR_MS;
      return { againAtMs, error: 'Internal error; see the server log.' };
    }
  }
}
