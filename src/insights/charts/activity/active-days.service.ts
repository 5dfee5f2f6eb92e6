import { Inject, Injectable } from '@nestjs/common';
import { type Clock, utcDay, utcDayMs } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { CUSTOMER_DAYS_KEPT } from '../facts/customer-days.js';
import { ActiveDaysRepository, type ActiveDaysState } from './active-days.repository.js';
import { MANY_CUSTOMERS, TODAY_EVERY_MS } from './activity-limits.js';

const DAY_MS = 86_400_000;
/** Days and their active customers per transaction. A large project has one day at a time. */
const LIMITS = { days: 60, customers: 50_000 };
/**
 * A day that has just ended is summed after this time. A transaction that did not see the end, and so did not mark the
 * day, has ended by then.
 */
const UNMARKED_FOR_MS = 5 * 60_000;

/** Sums the active customers of past days. The project must be locked. */
@Injectable()
export class ActiveDaysService {
  manyCustomers = MANY_CUSTOMERS;

  constructor(
    private readonly repository: ActiveDaysRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Does the first that applies: ends days, sums marked days, sums a large project's today. Returns false if none does. */
  async work(tx: Transaction, projectId: string): Promise<boolean> {
    const nowMs = this.clock.nowMs();
    const now = new Date(nowMs);
    const state = await this.repository.find(tx, projectId);
    if (!state) return false;
    const yesterday = utcDay(nowMs - DAY_MS);
    if (state.until === null || state.until < yesterday) {
      await this.endDays(tx, projectId, state, nowMs);
      return true;
    }
    const days = await this.repository.dueDays(tx, projectId, now, LIMITS);
    if (days.length > 0) {
      await this.repository.sumMarked(tx, projectId, days, state.from ?? yesterday, now);
      return true;
    }
    if (state.customers < this.manyCustomers || nowMs - (state.todayAtMs ?? 0) < TODAY_EVERY_MS) return false;
    const today = utcDay(nowMs);
    const counted = await this.repository.countDay(tx, projectId, today, this.manyCustomers + 1);
    const isMany = counted > this.manyCustomers;
    if (isMany) await this.repository.sum(tx, projectId, [today]);
    await this.repository.setToday(tx, projectId, isMany ? today : null, now);
    return true;
  }

  private async endDays(
    tx: Transaction,
    projectId: string,
    { until }: ActiveDaysState,
    nowMs: number,
  ): Promise<void> {
    // One day less than is kept, so that the clean-up marks nothing.
    const from = utcDay(nowMs - (CUSTOMER_DAYS_KEPT - 1) * DAY_MS);
    const after = until === null ? from : utcDay(utcDayMs(until) + DAY_MS);
    const dueAt = new Date(nowMs + UNMARKED_FOR_MS);
    await this.repository.move(tx, projectId, { from, after, until: utcDay(nowMs - DAY_MS), dueAt });
  }

  /** Compares the sums of some days with their customers. Returns and marks those that differ. */
  async findDifferences(tx: Transaction, projectId: string, limit: number): Promise<string[]> {
    const differences: string[] = [];
    const from = (await this.repository.find(tx, projectId))?.from ?? null;
    if (from === null) return differences;
    for (const day of await this.repository.sampleDays(tx, projectId, limit)) {
      if (await this.repository.isRight(tx, projectId, day, from)) continue;
      await this.repository.markDay(tx, projectId, day, null);
      differences.push(day);
    }
    return differences;
  }
}
