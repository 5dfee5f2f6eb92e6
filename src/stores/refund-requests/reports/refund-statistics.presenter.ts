import { microsToMajor } from '../../../../libs/money/index.js';
import type { RefundGroupDto, RefundStatisticsDto } from './refund-statistics.dto.js';
import type { RefundFigures } from './refund-reports.repository.js';

export interface StatisticsDays {
  firstDay: Date;
  /** Included. */
  lastDay: Date;
}

const dayOf = (day: Date): string => day.toISOString().slice(0, 10);

function presentFigures(row: RefundFigures): Omit<RefundGroupDto, 'id'> {
  const decided = row.refunded + row.declined + row.reversed;
  return {
    requests: row.requests,
    sent: row.sent,
    not_wanted: row.notWanted,
    refused: row.refused,
    expired: row.expired,
    refunded: row.refunded,
    partially_refunded: row.partiallyRefunded,
    declined: row.declined,
    reversed: row.reversed,
    open: row.open,
    amount_requested: microsToMajor(row.requestedMicros),
    amount_refunded: microsToMajor(row.refundedMicros),
    refunded_share: decided === 0 ? null : (100 * row.refunded) / decided,
  };
}

/** @param rows figures of all requests, and of each group that has any */
export function presentStatistics(
  { firstDay, lastDay }: StatisticsDays,
  rows: readonly RefundFigures[],
): RefundStatisticsDto {
  const all = rows.find(({ sharedBy }) => sharedBy === 'all') as RefundFigures;
  const groups = (by: RefundFigures['sharedBy'], none: string | null): RefundGroupDto[] =>
    rows
      .filter(({ sharedBy }) => sharedBy === by)
      .map((row) => ({ id: row.id ?? none, ...presentFigures(row) }));
  return {
    object: 'refund_statistics',
    start_date: dayOf(firstDay),
    end_date: dayOf(lastDay),
    ...presentFigures(all),
    by_policy: groups('policy', null),
    by_reason: groups('reason', 'NONE'),
    by_store: groups('store', null),
  };
}
