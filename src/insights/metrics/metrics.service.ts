import { Inject, Injectable } from '@nestjs/common';
import { type Clock, utcDay, utcDays } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ActiveCustomersService } from '../charts/activity/active-customers.service.js';
import { DatabaseService, type Reader } from '../../platform/database/database.service.js';
import { CustomerCountsRepository } from './customer-counts.repository.js';
import { SharedReads } from '../../platform/database/shared-reads.js';
import type { DayRange } from '../charts/activity/active-days.repository.js';
import type { MetricEnvironment } from '../charts/facts/plan-spans.js';
import { type KeyFigureDay, KeyFiguresService } from '../charts/key-figures/key-figures.service.js';
import type { DisplayCurrency } from '../../platform/exchange-rates/display-currencies.js';
import { wireValue } from '../charts/question/currencies.js';
import { type HistoryMetricId, OVERVIEW_DAYS, type OverviewMetricId } from './metric-catalogue.js';
import { startOfDay, type Window } from './metric-window.js';

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

export interface HistoryRequest {
  metric: HistoryMetricId;
  days: number;
  environment: MetricEnvironment;
  currency: DisplayCurrency;
}

/** Reads each metric from the figures of a day. Revenue is in micros and rounded after summing. */
const dailyValue: Record<
  Exclude<HistoryMetricId, 'new_customers' | 'active_users'>,
  (day: KeyFigureDay) => number
> = {
  active_trials: ({ trials }) => trials,
  active_subscriptions: ({ subscriptions }) => subscriptions,
  mrr: ({ mrr }) => mrr,
  revenue: ({ revenueMicros }) => revenueMicros,
};

/** The UTC days of a window. */
function rangeOf({ fromMs, nowMs }: Window): DayRange {
  return { first: utcDay(fromMs), last: utcDay(nowMs) };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

@Injectable()
export class MetricsService {
  private readonly overviews = new SharedReads<Overview>();
  private readonly histories = new SharedReads<History>();

  constructor(
    private readonly activity: ActiveCustomersService,
    private readonly customers: CustomerCountsRepository,
    private readonly figures: KeyFiguresService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  overview(projectId: string, environment: MetricEnvironment, currency: DisplayCurrency): Promise<Overview> {
    return this.overviews.read(JSON.stringify([projectId, environment, currency]), () =>
      this.readOverview(projectId, environment, currency),
    );
  }

  private async readOverview(
    projectId: string,
    environment: MetricEnvironment,
    currency: DisplayCurrency,
  ): Promise<Overview> {
    const updatedAtMs = await this.figures.catchUp(projectId);
    const nowMs = this.clock.nowMs();
    const window = { fromMs: nowMs - OVERVIEW_DAYS * DAY_MS, nowMs };
    return this.database.snapshotForReading(async (snapshot) => {
      const days = await this.figures.days(snapshot, { projectId, environment, currency, ...window });
      const newCustomers = await this.customers.newCustomers(snapshot, projectId, window);
      const activeUsers = await this.customers.lastSeenSince(snapshot, projectId, window.fromMs);
      const today = days.at(-1);
      const revenue = sum(days.map(({ revenueMicros }) => revenueMicros));
      const sold = (value: number): Figure => ({ value, updatedAtMs });
      const seen = (value: number): Figure => ({ value, updatedAtMs: nowMs });
      return {
        active_trials: sold(today?.trials ?? 0),
        active_subscriptions: sold(today?.subscriptions ?? 0),
        mrr: sold(today?.mrr ?? 0),
        revenue: sold(wireValue(revenue, '$', currency)),
        new_customers: seen(sum([...newCustomers.values()])),
        active_users: seen(activeUsers),
        num_tx_last_28_days: sold(sum(days.map(({ transactions }) => transactions))),
      };
    });
  }

  /** Returns a metric by UTC day, oldest first, including today. */
  history(projectId: string, request: HistoryRequest): Promise<History> {
    const { metric, days, environment, currency } = request;
    return this.histories.read(JSON.stringify([projectId, metric, days, environment, currency]), () =>
      this.readHistory(projectId, request),
    );
  }

  private async readHistory(projectId: string, request: HistoryRequest): Promise<History> {
    const ofCustomers = request.metric === 'new_customers' || request.metric === 'active_users';
    const updatedAtMs = ofCustomers ? null : await this.figures.catchUp(projectId);
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
          return this.salesHistory(snapshot, projectId, request.metric, request, {
            ...window,
            updatedAtMs: updatedAtMs ?? nowMs,
          });
      }
    });
  }

  private async salesHistory(
    snapshot: Reader,
    projectId: string,
    metric: keyof typeof dailyValue,
    { days, environment, currency }: HistoryRequest,
    { updatedAtMs, ...window }: Window & { updatedAtMs: number },
  ): Promise<History> {
    const series = await this.figures.days(snapshot, { projectId, environment, currency, ...window });
    const all = series.map((day) => ({ day: day.day, value: dailyValue[metric](day) }));
    const [before, shown] = [all.slice(0, days), all.slice(days)];
    if (metric !== 'revenue') {
      return {
        value: shown.at(-1)?.value ?? 0,
        previousValue: before.at(-1)?.value ?? 0,
        values: shown,
        updatedAtMs,
      };
    }
    const toMajor = (micros: number): number => wireValue(micros, '$', currency);
    return {
      value: toMajor(sum(shown.map(({ value }) => value))),
      previousValue: toMajor(sum(before.map(({ value }) => value))),
      values: shown.map(({ day, value }) => ({ day, value: toMajor(value) })),
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
    const all = utcDays(window.fromMs, window.nowMs).map((day) => ({ day, value: counts.get(day) ?? 0 }));
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
    const list = utcDays(shown.fromMs, nowMs);
    const { customers, asOfMs } = await this.activity.count(snapshot, projectId, [
      rangeOf(shown),
      rangeOf(before),
      ...list.map((day) => ({ first: day, last: day })),
    ]);
    const [value = 0, previousValue = 0, ...counts] = customers;
    return {
      value,
      previousValue,
      values: list.map((day, index) => ({ day, value: counts[index] ?? 0 })),
      updatedAtMs: asOfMs ?? nowMs,
    };
  }
}
