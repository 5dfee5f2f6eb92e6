import { Injectable } from '@nestjs/common';
import { utcDays } from '../../../../libs/kernel/index.js';
import type { Reader } from '../../../platform/database/database.service.js';
import type { MetricEnvironment } from '../facts/plan-spans.js';
import { ChartRatesService } from '../answers/chart-rates.service.js';
import type { DisplayCurrency } from '../../../platform/exchange-rates/display-currencies.js';
import { ChartRollupRepository } from '../rollup/chart-rollup.repository.js';
import { ChartRollupService } from '../rollup/chart-rollup.service.js';
import { KeyFiguresRepository, type KeyFigureRow, type ProductFigures } from './key-figures.repository.js';
import { MonthlySum } from './monthly-sum.js';

const DAY_MS = 86_400_000;
const environments = ['production', 'sandbox'] as const;

/** States at the end of a UTC day (today: now), and money of the purchases of that day. */
export interface KeyFigureDay {
  day: string;
  trials: number;
  subscriptions: number;
  /** Monthly recurring revenue in major units, rounded once. */
  mrr: number;
  /** Micros of the currency, not rounded unless it is USD. Refunds count on the day of their purchase. */
  revenueMicros: number;
  transactions: number;
}

export interface KeyFiguresQuestion {
  projectId: string;
  environment: MetricEnvironment;
  currency: DisplayCurrency;
  /** Purchases of the first day count from here; earlier days only count for states. */
  fromMs: number;
  nowMs: number;
}

/** Figures of the overview, from the facts and sums of charts but by rules of their own. */
@Injectable()
export class KeyFiguresService {
  constructor(
    private readonly rollup: ChartRollupService,
    private readonly sums: ChartRollupRepository,
    private readonly repository: KeyFiguresRepository,
    private readonly rates: ChartRatesService,
  ) {}

  /** Includes pending changes, unless there are many. Returns the time until which everything is included. */
  catchUp(projectId: string): Promise<number> {
    return this.rollup.catchUp(projectId);
  }

  /** Returns the days of a window, oldest first. */
  async days(snapshot: Reader, question: KeyFiguresQuestion): Promise<KeyFigureDay[]> {
    const { projectId, environment, currency, fromMs, nowMs } = question;
    const stored = await this.sums.storedDays(snapshot, projectId, environment);
    const rates = this.rates.perUsd(currency);
    const rows = await this.repository.days(snapshot, projectId, environment, {
      fromMs,
      nowMs,
      stored,
      rates,
    });
    const changes = new Map<string | null, KeyFigureRow>();
    const money = new Map<string | null, { revenueMicros: number; transactions: number }>();
    for (const row of rows) {
      if (!row.isMoney) changes.set(row.day, row);
      else money.set(row.day, { revenueMicros: Number(row.revenue), transactions: row.transactions });
    }
    const [first = ''] = utcDays(fromMs, nowMs);
    if (fromMs % DAY_MS !== 0 && money.has(first)) {
      const rate = rates === null ? 1 : (rates.rates[rates.days.indexOf(first)] ?? 0);
      const { revenue, transactions } = await this.repository.moneySince(snapshot, projectId, environment, {
        fromMs,
        nowMs,
      });
      money.set(first, { revenueMicros: revenue * rate, transactions });
    }
    let [trials, subscriptions] = [0, 0];
    const monthly = new MonthlySum(currency);
    const apply = (row: KeyFigureRow | undefined): void => {
      if (!row) return;
      trials += row.trials;
      subscriptions += row.subscriptions;
      monthly.add(row);
    };
    apply(changes.get(null));
    return utcDays(fromMs, nowMs).map((day) => {
      apply(changes.get(day));
      const sold = money.get(day) ?? { revenueMicros: 0, transactions: 0 };
      return { day, trials, subscriptions, mrr: monthly.toMajor(), ...sold };
    });
  }

  /** Returns active subscriptions and transactions by product, in both environments. */
  async byProduct(snapshot: Reader, projectId: string, nowMs: number): Promise<ProductFigures[]> {
    const figures: ProductFigures[] = [];
    for (const environment of environments) {
      const stored = await this.sums.storedDays(snapshot, projectId, environment);
      figures.push(...(await this.repository.byProduct(snapshot, projectId, environment, { nowMs, stored })));
    }
    return figures;
  }
}
