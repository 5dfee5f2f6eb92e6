import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.service.js';
import { utcDayMs, utcDays } from '../../../../libs/kernel/index.js';
import {
  type Activity,
  ActiveDaysRepository,
  type ActiveDaysState,
  type CountedRange,
  type DayRange,
} from './active-days.repository.js';
import { MAX_OPEN_DAYS } from './activity-limits.js';

export interface ActiveCustomers {
  rows: CountedRange[];
  /** Null: as of now. */
  asOfMs: number | null;
}

/** Returns the days of some ranges without current sums. */
function openDays(
  { from, until, today, marked }: Pick<ActiveDaysState, 'from' | 'until' | 'today' | 'marked'>,
  ranges: readonly DayRange[],
): string[] {
  const known = new Set(marked);
  const isOpen = (day: string): boolean =>
    day !== today && (from === null || until === null || day < from || day > until || known.has(day));
  const days = ranges.flatMap(({ first, last }) => utcDays(utcDayMs(first), utcDayMs(last)));
  return [...new Set(days.filter(isOpen))];
}

/** Counts active customers, each once in a range of days. */
@Injectable()
export class ActiveCustomersService {
  constructor(private readonly repository: ActiveDaysRepository) {}

  /** Counts from sums. Returns null if too few days of the ranges have any. */
  async countFromSums(
    snapshot: Reader,
    projectId: string,
    ranges: readonly DayRange[],
    activity: Activity,
  ): Promise<ActiveCustomers | null> {
    const state = await this.repository.find(snapshot, projectId);
    if (!state) return null;
    const open = openDays(state, ranges);
    if (open.length > MAX_OPEN_DAYS) return null;
    const rows = await this.repository.count(snapshot, projectId, ranges, open, activity);
    const hasToday = ranges.some(
      ({ first, last }) => state.today !== null && first <= state.today && state.today <= last,
    );
    return { rows, asOfMs: hasToday ? state.todayAtMs : null };
  }

  /** Counts all customers of a project who were active in each range. */
  async count(
    snapshot: Reader,
    projectId: string,
    ranges: readonly DayRange[],
  ): Promise<{ customers: number[]; asOfMs: number | null }> {
    const all = { level: 'all', hasSegments: false, values: null } as const;
    const counted = (await this.countFromSums(snapshot, projectId, ranges, all)) ?? {
      rows: await this.repository.countDistinct(snapshot, projectId, ranges),
      asOfMs: null,
    };
    const customers = ranges.map(() => 0);
    for (const row of counted.rows) customers[row.place] = (customers[row.place] ?? 0) + row.customers;
    return { customers, asOfMs: counted.asOfMs };
  }
}
