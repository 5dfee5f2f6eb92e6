import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { utcDay } from '../../../../libs/kernel/index.js';
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

  async recordDays(tx: Transaction, days: readonly SeenDay[]): Promise<void> {
    await this.repository.insertDays(tx, days);
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
    const days = [...this.waitingDays.values()];
    this.waitingDays = new Map();
    if (days.length === 0) return;
    try {
      await this.database.transaction((tx) => this.recordDays(tx, days));
    } catch (error) {
      // Once the last-seen times are written, nothing else would record these days.
      for (const day of days.slice(0, MAX_WAITING_DAYS - this.waitingDays.size)) this.addDay(day);
      throw error;
    }
  }

  private async flushUpdates(): Promise<void> {
    // Sorted, so that two replicas lock the same rows in the same order.
    const updates = [...this.waiting.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, update]) => update);
    this.waiting = new Map();
    if (updates.length === 0) return;
    await this.database.transaction((tx) => this.repository.update(tx, updates));
  }

  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }
}
