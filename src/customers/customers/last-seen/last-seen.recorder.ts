import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { grouped, utcDay } from '../../../../libs/kernel/index.js';
import { isWorkerLost } from '../../../platform/database/database-errors.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { WorkLoop } from '../../../platform/jobs/work-loop.js';
import { LogService } from '../../../platform/observability/log.service.js';
import type { CustomerRow } from '../identity/customer-state.js';
import type { Device } from './device.js';
import {
  LastSeenRepository,
  type LastSeenUpdate,
  type Origin,
  type SeenDay,
} from './last-seen.repository.js';

const noOrigin: Origin = { country: null, platform: null, appVersion: null };

function originOf(device: Device, earlier: Origin = noOrigin): Origin {
  const { country, platform, appVersion } = device.isBackend ? noOrigin : device;
  return {
    country: earlier.country ?? country,
    platform: earlier.platform ?? platform,
    appVersion: earlier.appVersion ?? appVersion,
  };
}

/** Minimum interval between writes of a customer's last-seen time: reads must not become writes. */
const WRITE_EVERY_MS = 5 * 60_000;
const FLUSH_EVERY_MS = 1_000;
const MAX_WAITING = 1_000;
const MAX_WAITING_DAYS = 10_000;

const DAY_MS = 86_400_000;
const dayNumber = (epochMs: number): number => Math.floor(epochMs / DAY_MS);

/**
 * Records when and with which device customers were last seen, off the critical path and in batches. A process that
 * crashes loses at most a second of updates. The next read records those caused by reads again.
 */
@Injectable()
export class LastSeenRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private waiting = new Map<string, LastSeenUpdate>();
  private waitingDays = new Map<string, SeenDay>();
  private readonly loop: WorkLoop;

  constructor(
    private readonly database: DatabaseService,
    private readonly repository: LastSeenRepository,
    private readonly scheduler: SchedulerRegistry,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.write(),
      (error) =>
        log.warn(
          { err: error },
          'last-seen times were not written; the next requests of these customers write them',
        ),
    );
  }

  /** UTC days (`YYYY-MM-DD`) on which a customer was seen between two times. */
  daysSeen(projectId: string, customerId: string, fromMs: number, toMs: number): Promise<string[]> {
    const span = [utcDay(fromMs), utcDay(toMs)] as const;
    return this.repository.daysSeen(this.database, projectId, customerId, span);
  }

  /** Not a scheduled job, because those run only in some processes, while this data is local to each process. */
  onApplicationBootstrap(): void {
    const interval = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
    this.scheduler.addInterval('last-seen', interval);
  }

  /** `lastSeenAtMs`: the stored value. */
  recordContact(
    projectId: string,
    customerId: string,
    lastSeenAtMs: number | null,
    nowMs: number,
    device: Device,
  ): void {
    const isNewDay = this.recordDay(projectId, customerId, lastSeenAtMs, nowMs);
    if (!isNewDay && lastSeenAtMs !== null && nowMs - lastSeenAtMs < WRITE_EVERY_MS) return;
    if (this.waiting.size >= MAX_WAITING) return;
    const key = `${projectId}/${customerId}`;
    const first = originOf(device, this.waiting.get(key)?.first);
    this.waiting.set(key, { projectId, customerId, seenAtMs: nowMs, ...device, first });
  }

  /**
   * Records the day for the metrics on the customer's first contact of the day. Used by writers of the last-seen time.
   * `lastSeenAtMs`: the previously stored value. Returns true on a new day.
   */
  recordDay(projectId: string, customerId: string, lastSeenAtMs: number | null, nowMs: number): boolean {
    if (lastSeenAtMs !== null && dayNumber(lastSeenAtMs) === dayNumber(nowMs)) return false;
    const day = utcDay(nowMs);
    if (this.waitingDays.size < MAX_WAITING_DAYS) {
      this.addDay({ projectId, customerId, day });
    }
    return true;
  }

  /** Like `recordContact`, for a customer whose row was just read. Changes of the device are written without delay. */
  recordContactOf(projectId: string, customer: CustomerRow, nowMs: number, device: Device): void {
    const news = (value: string | null, known: string | null): boolean => value !== null && value !== known;
    const isNews =
      news(device.platform, customer.lastSeenPlatform) ||
      news(device.platformVersion, customer.lastSeenPlatformVersion) ||
      news(device.appVersion, customer.lastSeenAppVersion) ||
      news(device.country, customer.lastSeenCountry);
    this.recordContact(projectId, customer.id, isNews ? null : customer.lastSeenAtMs, nowMs, device);
  }

  async recordDays(tx: Transaction, projectId: string, days: readonly SeenDay[]): Promise<void> {
    await this.repository.insertDays(tx, projectId, days);
  }

  private addDay(day: SeenDay): void {
    this.waitingDays.set(`${day.projectId}/${day.customerId}/${day.day}`, day);
  }

  flush(): Promise<void> {
    return this.loop.wake();
  }

  private async write(): Promise<void> {
    try {
      await this.flushDays();
    } finally {
      await this.flushUpdates();
    }
  }

  private async flushDays(): Promise<void> {
    const waiting = this.waitingDays;
    this.waitingDays = new Map();
    // Once the last-seen times are written, nothing else would record these days.
    await this.inProjects(
      waiting.values(),
      (projectId, days) => this.database.transaction((tx) => this.recordDays(tx, projectId, days)),
      (days) => {
        for (const day of days.slice(0, MAX_WAITING_DAYS - this.waitingDays.size)) this.addDay(day);
      },
    );
  }

  private async flushUpdates(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = new Map();
    // Sorted, so that two replicas lock the same rows in the same order.
    const byCustomer = (a: LastSeenUpdate, b: LastSeenUpdate): number =>
      a.customerId < b.customerId ? -1 : 1;
    await this.inProjects(
      waiting.values(),
      (projectId, updates) =>
        this.database.transaction((tx) => this.repository.update(tx, projectId, updates.sort(byCustomer))),
      (updates) => {
        for (const update of updates.slice(0, MAX_WAITING - this.waiting.size)) {
          const key = `${update.projectId}/${update.customerId}`;
          if (!this.waiting.has(key)) this.waiting.set(key, update);
        }
      },
    );
  }

  /**
   * Puts everything unwritten back, failed projects last. Stops at the first failure, unless only the worker of that
   * project is lost.
   */
  private async inProjects<T extends { projectId: string }>(
    items: Iterable<T>,
    write: (projectId: string, items: T[]) => Promise<void>,
    putBack: (items: T[]) => void,
  ): Promise<void> {
    const [...batches] = grouped(items, ({ projectId }) => projectId);
    const failed: { batch: T[]; error: unknown }[] = [];
    for (const [index, [projectId, batch]] of batches.entries()) {
      try {
        await write(projectId, batch);
      } catch (error) {
        failed.push({ batch, error });
        if (isWorkerLost(error)) continue;
        putBack(batches.slice(index + 1).flatMap(([, others]) => others));
        break;
      }
    }
    putBack(failed.flatMap(({ batch }) => batch));
    if (failed[0]) throw failed[0].error;
  }

  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }
}
