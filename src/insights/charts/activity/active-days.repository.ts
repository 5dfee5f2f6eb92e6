import { Injectable } from '@nestjs/common';
import type { Reader, Transaction } from '../../../platform/database/database.service.js';
import { type Piece, piecesBetween } from '../answers/pieces.js';
import {
  activeCustomers,
  activityLevels,
  type ActivityLevel,
  countDay,
  deleteBefore,
  deleteDays,
  distinctCustomers,
  dueDays,
  endedDays,
  endToday,
  findState,
  isRight,
  markDay,
  moveDays,
  pieceStarts,
  sampleDays,
  setToday,
  sumDays,
  takeMarks,
} from './active-days.sql.js';

/** Which days (`YYYY-MM-DD`) of a project have sums. */
export interface ActiveDaysState {
  from: string | null;
  until: string | null;
  /** A day that was summed before it ended, and when. */
  today: string | null;
  todayAtMs: number | null;
  /** About how many customers the project has. */
  customers: number;
  /** Days whose sums are missing or out of date, in order. */
  marked: string[];
}

/** Days, both included. */
export interface DayRange {
  first: string;
  last: string;
}

export interface CountedRange {
  /** The index of the range. */
  place: number;
  seg: string | null;
  customers: number;
}

export interface Activity {
  level: ActivityLevel;
  hasSegments: boolean;
  /** Null: all. */
  values: readonly string[] | null;
}

function columnsOf(ranges: readonly DayRange[]): unknown[] {
  return [ranges.map((_, place) => place), ranges.map(({ first }) => first), ranges.map(({ last }) => last)];
}

/** Sums of active customers by day. Changes require that the project is locked. */
@Injectable()
export class ActiveDaysRepository {
  async find(reader: Reader, projectId: string): Promise<ActiveDaysState | null> {
    return (await reader.query<ActiveDaysState>(findState, [projectId]))[0] ?? null;
  }

  /** Stores sums from now on for the days `from` to `until`. Those after `after` have just ended. */
  async move(
    tx: Transaction,
    projectId: string,
    { from, after, until, dueAt }: { from: string; after: string; until: string; dueAt: Date },
  ): Promise<void> {
    await tx.query(moveDays, [projectId, from, until]);
    await tx.query(deleteBefore, [projectId, activityLevels, from]);
    const ended = await tx.query<{ day: string }>(endedDays, [projectId, after, until]);
    for (const { day } of ended) await this.markDay(tx, projectId, day, dueAt);
  }

  async dueDays(
    tx: Transaction,
    projectId: string,
    now: Date,
    limits: { customers: number; days: number },
  ): Promise<string[]> {
    const values = [projectId, now, limits.customers, limits.days];
    return (await tx.query<{ day: string }>(dueDays, values)).map(({ day }) => day);
  }

  /** Sums marked days, except those before `from`, which are no longer stored. */
  async sumMarked(
    tx: Transaction,
    projectId: string,
    days: string[],
    from: string,
    now: Date,
  ): Promise<void> {
    await tx.query(takeMarks, [projectId, days, now]);
    await this.sum(
      tx,
      projectId,
      days.filter((day) => day >= from),
    );
    await tx.query(endToday, [projectId, days]);
  }

  async sum(tx: Transaction, projectId: string, days: string[]): Promise<void> {
    await tx.query(deleteDays, [projectId, activityLevels, days]);
    for (const { from, to } of await this.pieces(tx, projectId))
      await tx.query(sumDays, [projectId, days, from, to]);
  }

  private async pieces(tx: Transaction, projectId: string): Promise<Piece[]> {
    const starts = await tx.query<{ id: string }>(pieceStarts, [projectId]);
    return piecesBetween(starts.map(({ id }) => id));
  }

  async countDay(tx: Transaction, projectId: string, day: string, limit: number): Promise<number> {
    return (await tx.query<{ customers: number }>(countDay, [projectId, day, limit]))[0]?.customers ?? 0;
  }

  /** `today` is null if the day has too few customers to be stored. */
  async setToday(tx: Transaction, projectId: string, today: string | null, now: Date): Promise<void> {
    await tx.query(setToday, [projectId, today, now]);
  }

  async sampleDays(tx: Transaction, projectId: string, limit: number): Promise<string[]> {
    return (await tx.query<{ day: string }>(sampleDays, [projectId, limit])).map(({ day }) => day);
  }

  /** Compares the sums of a day with its customers. Gaps that reach before `from` are equal. */
  async isRight(tx: Transaction, projectId: string, day: string, from: string): Promise<boolean> {
    const [row] = await tx.query<{ isRight: boolean }>(isRight, [projectId, activityLevels, day, from]);
    return row?.isRight === true;
  }

  /** `dueAt` is null if the day is due at once. */
  async markDay(tx: Transaction, projectId: string, day: string, dueAt: Date | null): Promise<void> {
    await tx.query(markDay, [projectId, day, dueAt]);
  }

  /** Counts customers active in each range. The sums of `open` days are not used. A range can have several rows. */
  count(
    snapshot: Reader,
    projectId: string,
    ranges: readonly DayRange[],
    open: readonly string[],
    { level, hasSegments, values }: Activity,
  ): Promise<CountedRange[]> {
    const filter = values === null ? [] : [values];
    return snapshot.query<CountedRange>(activeCustomers(level, { hasSegments, hasFilter: values !== null }), [
      projectId,
      ...columnsOf(ranges),
      open,
      ...filter,
    ]);
  }

  /** Like `count`, without sums. */
  countDistinct(snapshot: Reader, projectId: string, ranges: readonly DayRange[]): Promise<CountedRange[]> {
    return snapshot.query<CountedRange>(distinctCustomers, [projectId, ...columnsOf(ranges)]);
  }
}
