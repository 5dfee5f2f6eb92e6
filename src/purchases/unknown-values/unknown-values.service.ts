import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import type { UnknownValue } from '../../../libs/stores/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import type { AppType } from '../../platform/principal/app-types.js';
import { added, type CountedValue, printable } from './counted-value.js';
import { UnknownValuesRepository, type UnknownValueRow } from './unknown-values.repository.js';

const FLUSH_EVERY_MS = 10_000;
/** Bounds memory while the database is down. */
const MAX_WAITING = 1_000;
const SHOWN_MS = 30 * 86_400_000;
const MAX_SHOWN = 100;

/** The app whose store sent a value. */
export interface ValueSource {
  projectId: string;
  id: string;
  type: AppType;
}

interface WaitingApp {
  projectId: string;
  appId: string;
  store: AppType;
  /** By field and value. */
  values: Map<string, CountedValue>;
}

/**
 * Counts values of stores that this server does not know, off the critical path and in batches: no purchase waits for
 * it or fails with it. A process that crashes loses at most ten seconds of counts.
 */
@Injectable()
export class UnknownValuesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private waiting = new Map<string, WaitingApp>();
  private readonly loop: WorkLoop;
  private readonly seen: Counter;

  constructor(
    private readonly repository: UnknownValuesRepository,
    private readonly apps: AppsService,
    private readonly scheduler: SchedulerRegistry,
    registry: Registry,
    @Inject(CLOCK) private readonly clock: Clock,
    log: LogService,
  ) {
    this.seen = new Counter({
      name: 'tenure_store_unknown_values_total',
      help: 'Values of enumerated fields that a store sent and this server does not know; they had no effect.',
      labelNames: ['store', 'field'],
      registers: [registry],
    });
    this.loop = new WorkLoop(
      () => this.write(),
      (error) => log.warn({ err: error }, 'unknown values of stores were not written; retrying in 10 s'),
    );
  }

  /** Not a scheduled job, because those run only in some processes, while this data is local to each process. */
  onApplicationBootstrap(): void {
    const interval = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
    this.scheduler.addInterval('unknown-values', interval);
  }

  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  record({ projectId, id, type }: ValueSource, values: readonly UnknownValue[]): void {
    const nowMs = this.clock.nowMs();
    for (const { field, value } of values) {
      this.seen.inc({ store: type, field });
      const one = { field, value: printable(value), count: 1, firstSeenAtMs: nowMs, lastSeenAtMs: nowMs };
      this.addWaiting({ projectId, appId: id, store: type }, one);
    }
  }

  /** The values of the last 30 days, most recent first. */
  forProject(projectId: string): Promise<UnknownValueRow[]> {
    return this.repository.latest(projectId, new Date(this.clock.nowMs() - SHOWN_MS), MAX_SHOWN);
  }

  /** Resolves when everything recorded so far is written or has failed. */
  flush(): Promise<void> {
    return this.loop.wake();
  }

  private addWaiting(source: Omit<WaitingApp, 'values'>, one: CountedValue): void {
    const appKey = `${source.projectId}/${source.appId}`;
    const app = this.waiting.get(appKey) ?? { ...source, values: new Map<string, CountedValue>() };
    const key = JSON.stringify([one.field, one.value]);
    if (!app.values.has(key) && this.waitingCount() >= MAX_WAITING) return;
    app.values.set(key, added(app.values.get(key), one));
    this.waiting.set(appKey, app);
  }

  private waitingCount(): number {
    return [...this.waiting.values()].reduce((sum, { values }) => sum + values.size, 0);
  }

  private async write(): Promise<void> {
    const batches = [...this.waiting.values()];
    this.waiting = new Map();
    const errors: unknown[] = [];
    for (const { values, ...source } of batches) {
      try {
        // Setup health lists no values of a deleted app.
        if (!(await this.apps.find(source.projectId, source.appId))) continue;
        await this.repository.add(source, [...values.values()]);
      } catch (error) {
        errors.push(error);
        for (const one of values.values()) this.addWaiting(source, one);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
