import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { microsToMajor } from '../../../libs/money/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Reader } from '../../platform/database/database.service.js';
import { CustomerCountsRepository } from './customer-counts.repository.js';
import { SharedReads } from '../../platform/database/shared-reads.js';
import { lengthOfDuration } from './billing-length.js';
import { type HistoryMetricId, OVERVIEW_DAYS, type OverviewMetricId } from './metric-catalogue.js';
import type { MetricEnvironment, PlanKey } from './metric-periods.js';
import {
  bucketsOf,
  type DayFigures,
  daysBetween,
  movementsOfChanges,
  seriesOf,
  startOfDay,
  type Window,
} from './metric-series.js';
import { MetricsRepository } from './metrics.repository.js';
import { RollupRepository } from './rollup.repository.js';
import { soldProduct } from './sold-product.js';

const DAY_MS = 86_400_000;

/** A number, and the time until which everything recorded is included. */
export interface Figure {
  value: number;
  updatedAtMs: number;
}

export type Overview = Record<OverviewMetricId, Figure>;

export interface History {
  /** The value of the whole range: the newest figure, or the sum for metrics counted by day. */
  value: number;
  /** The value of the preceding range of equal length. */
  previousValue: number;
  values: { day: string; value: number }[];
  updatedAtMs: number;
}

interface SalesSeries {
  days: DayFigures[];
  /** Everything recorded until this time is included. */
  updatedAtMs: number;
}

export interface HistoryRequest {
  metric: HistoryMetricId;
  days: number;
  environment: MetricEnvironment;
}

const centsToMajor = (cents: number): number => cents / 100;

/** Reads each metric from the figures of a day. Money is in micros and rounded after summing. */
const dailyValue: Record<
  Exclude<HistoryMetricId, 'new_customers' | 'active_users'>,
  (day: DayFigures) => number
> = {
  active_trials: ({ trials }) => trials,
  active_subscriptions: ({ subscriptions }) => subscriptions,
  mrr: ({ mrrCents }) => centsToMajor(mrrCents),
  revenue: ({ revenueMicros }) => revenueMicros,
};

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

@Injectable()
export class MetricsService {
  private readonly overviews = new SharedReads<Overview>();
  private readonly histories = new SharedReads<History>();

  constructor(
    private readonly repository: MetricsRepository,
    private readonly customers: CustomerCountsRepository,
    private readonly rollup: RollupRepository,
    private readonly catalogs: CatalogService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  overview(projectId: string, environment: MetricEnvironment): Promise<Overview> {
    return this.overviews.read(JSON.stringify([projectId, environment]), () =>
      this.readOverview(projectId, environment),
    );
  }

  private readOverview(projectId: string, environment: MetricEnvironment): Promise<Overview> {
    const nowMs = this.clock.nowMs();
    const window = { fromMs: nowMs - OVERVIEW_DAYS * DAY_MS, nowMs };
    return this.database.snapshotForReading(async (snapshot) => {
      const { days, updatedAtMs } = await this.salesSeries(snapshot, projectId, environment, window);
      const newCustomers = await this.customers.newCustomers(snapshot, projectId, window);
      const activeUsers = await this.customers.lastSeenSince(snapshot, projectId, window.fromMs);
      const today = days.at(-1);
      const sold = (value: number): Figure => ({ value, updatedAtMs });
      const seen = (value: number): Figure => ({ value, updatedAtMs: nowMs });
      return {
        active_trials: sold(today?.trials ?? 0),
        active_subscriptions: sold(today?.subscriptions ?? 0),
        mrr: sold(centsToMajor(today?.mrrCents ?? 0)),
        revenue: sold(microsToMajor(sum(days.map(({ revenueMicros }) => revenueMicros)))),
        new_customers: seen(sum([...newCustomers.values()])),
        active_users: seen(activeUsers),
        num_tx_last_28_days: sold(sum(days.map(({ transactions }) => transactions))),
      };
    });
  }

  /** Returns a metric by UTC day, oldest first, including today. */
  history(projectId: string, request: HistoryRequest): Promise<History> {
    const { metric, days, environment } = request;
    return this.histories.read(JSON.stringify([projectId, metric, days, environment]), () =>
      this.readHistory(projectId, request),
    );
  }

  private readHistory(projectId: string, request: HistoryRequest): Promise<History> {
    const nowMs = this.clock.nowMs();
    const firstDayMs = startOfDay(nowMs) - (request.days - 1) * DAY_MS;
    const window = { fromMs: firstDayMs - request.days * DAY_MS, nowMs };
    return this.database.snapshotForReading((snapshot) => {
      switch (request.metric) {
        case 'new_customers':
          return this.customerHistory(snapshot, projectId, request, window);
        case 'active_users':
          return this.activityHistory(snapshot, projectId, request, window);
        case 'active_trials':
        case 'active_subscriptions':
        case 'mrr':
        case 'revenue':
          return this.salesHistory(snapshot, projectId, request.metric, request, window);
      }
    });
  }

  private async salesHistory(
    snapshot: Reader,
    projectId: string,
    metric: keyof typeof dailyValue,
    { days, environment }: HistoryRequest,
    window: Window,
  ): Promise<History> {
    const series = await this.salesSeries(snapshot, projectId, environment, window);
    const all = series.days.map((day) => ({ day: day.day, value: dailyValue[metric](day) }));
    const [before, shown] = [all.slice(0, days), all.slice(days)];
    const { updatedAtMs } = series;
    if (metric !== 'revenue') {
      return {
        value: shown.at(-1)?.value ?? 0,
        previousValue: before.at(-1)?.value ?? 0,
        values: shown,
        updatedAtMs,
      };
    }
    return {
      value: microsToMajor(sum(shown.map(({ value }) => value))),
      previousValue: microsToMajor(sum(before.map(({ value }) => value))),
      values: shown.map(({ day, value }) => ({ day, value: microsToMajor(value) })),
      updatedAtMs,
    };
  }

  private async customerHistory(
    snapshot: Reader,
    projectId: string,
    { days }: HistoryRequest,
    window: Window,
  ): Promise<History> {
    const counts = await this.customers.newCustomers(snapshot, projectId, window);
    const all = daysBetween(window.fromMs, window.nowMs).map((day) => ({ day, value: counts.get(day) ?? 0 }));
    return {
      value: sum(all.slice(days).map(({ value }) => value)),
      previousValue: sum(all.slice(0, days).map(({ value }) => value)),
      values: all.slice(days),
      updatedAtMs: window.nowMs,
    };
  }

  /** The days can sum to more than the total, because a customer seen on several days counts once. */
  private async activityHistory(
    snapshot: Reader,
    projectId: string,
    { days }: HistoryRequest,
    { fromMs, nowMs }: Window,
  ): Promise<History> {
    const shown = { fromMs: fromMs + days * DAY_MS, nowMs };
    const before = { fromMs, nowMs: shown.fromMs - DAY_MS };
    const counts = await this.repository.seenByDay(snapshot, projectId, shown);
    return {
      value: await this.repository.seenBetween(snapshot, projectId, shown),
      previousValue: await this.repository.seenBetween(snapshot, projectId, before),
      values: daysBetween(shown.fromMs, nowMs).map((day) => ({ day, value: counts.get(day) ?? 0 })),
      updatedAtMs: nowMs,
    };
  }

  /** Sales by day: the rollup plus changes that are not rolled up yet. */
  private async salesSeries(
    snapshot: Reader,
    projectId: string,
    environment: MetricEnvironment,
    window: Window,
  ): Promise<SalesSeries> {
    const { changes, behindSinceMs, catalogVersion } = await this.rollup.tail(snapshot, projectId);
    const stored = await this.repository.buckets(snapshot, projectId, environment, window);
    const catalog = await this.catalogs.get(projectId, catalogVersion);
    const here = (period: { environment: MetricEnvironment }): boolean => period.environment === environment;
    const movements = movementsOfChanges({
      removed: changes.removed.filter(here),
      added: changes.added.filter(here),
    });
    const lengthOf = (plan: PlanKey): number => {
      const duration = soldProduct(catalog, plan)?.duration ?? null;
      return (duration === null ? null : lengthOfDuration(duration)) ?? plan.lengthUnits;
    };
    return {
      days: seriesOf([...stored, ...bucketsOf(movements, window)], window, lengthOf),
      updatedAtMs: Math.min(behindSinceMs ?? window.nowMs, window.nowMs),
    };
  }
}
