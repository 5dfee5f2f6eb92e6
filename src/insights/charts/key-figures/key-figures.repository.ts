import { Injectable } from '@nestjs/common';
import { utcDay, utcDayMs } from '../../../../libs/kernel/index.js';
import type { Reader } from '../../../platform/database/database.service.js';
import type { Rates } from '../answers/chart-rates.service.js';
import type { StoredDays } from '../rollup/chart-rollup.repository.js';
import type { MetricEnvironment } from '../facts/plan-spans.js';
import { convertedKeyFigures, figuresByProduct, keyFigures, moneyOfPurchases } from './key-figures.sql.js';

const DAY_MS = 86_400_000;

/** Changes of a day, or money of purchases of a day. Sums are exact decimals. */
export interface KeyFigureRow {
  /** Null: all days before the window. */
  day: string | null;
  isMoney: boolean;
  trials: number;
  subscriptions: number;
  monthly: string;
  /** In parts of a micro. */
  fraction: string;
  revenue: string;
  transactions: number;
}

export interface PurchaseMoney {
  revenue: number;
  transactions: number;
}

export interface ProductFigures {
  appId: string;
  /** The catalog's id, or `app/name` of a product that was not in the catalog. */
  productId: string;
  active: number;
  transactions: number;
  /** Start of the UTC day of the first transaction. */
  sinceMs: number | null;
}

/** Splits the time until now: days with sums, and ranges of facts. */
function parametersOf(stored: StoredDays, nowMs: number): unknown[] {
  // Facts have whole milliseconds.
  const untilNow = new Date(nowMs + 1).toISOString();
  if (stored.closedUntil === null) return ['-infinity', [], ['-infinity'], [untilNow]];
  const yesterday = utcDay(nowMs - DAY_MS);
  const closedUntil = stored.closedUntil < yesterday ? stored.closedUntil : yesterday;
  const dirty = stored.dirty.filter((day) => day <= closedUntil);
  const starts = [...dirty.map(utcDayMs), utcDayMs(closedUntil) + DAY_MS];
  return [
    closedUntil,
    dirty,
    starts.map((ms) => new Date(ms).toISOString()),
    [...dirty.map((day) => new Date(utcDayMs(day) + DAY_MS).toISOString()), untilNow],
  ];
}

/** Reads figures of a project from the facts and sums of charts. */
@Injectable()
export class KeyFiguresRepository {
  async days(
    snapshot: Reader,
    projectId: string,
    environment: MetricEnvironment,
    {
      fromMs,
      nowMs,
      stored,
      rates,
    }: { fromMs: number; nowMs: number; stored: StoredDays; rates: Rates | null },
  ): Promise<KeyFigureRow[]> {
    const first = utcDay(fromMs);
    const values = [projectId, environment, first, first, ...parametersOf(stored, nowMs)];
    return rates === null
      ? snapshot.query<KeyFigureRow>(keyFigures, values)
      : snapshot.query<KeyFigureRow>(convertedKeyFigures, [...values, rates.days, rates.rates]);
  }

  /** Returns the money, in USD micros, of purchases between a time and the end of its UTC day. */
  async moneySince(
    snapshot: Reader,
    projectId: string,
    environment: MetricEnvironment,
    { fromMs, nowMs }: { fromMs: number; nowMs: number },
  ): Promise<PurchaseMoney> {
    const dayEndMs = (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS;
    const [row] = await snapshot.query<PurchaseMoney>(moneyOfPurchases, [
      projectId,
      environment,
      new Date(fromMs),
      new Date(Math.min(dayEndMs, nowMs + 1)),
      utcDay(fromMs),
      new Date(nowMs),
    ]);
    return row ?? { revenue: 0, transactions: 0 };
  }

  byProduct(
    snapshot: Reader,
    projectId: string,
    environment: MetricEnvironment,
    { nowMs, stored }: { nowMs: number; stored: StoredDays },
  ): Promise<ProductFigures[]> {
    const values = [projectId, environment, ...parametersOf(stored, nowMs)];
    return snapshot.query<ProductFigures>(figuresByProduct, values);
  }
}
