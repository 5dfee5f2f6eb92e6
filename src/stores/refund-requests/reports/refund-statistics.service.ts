import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Reader } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { RefundStatisticsQuery } from './refund-statistics.dto.js';
import type { StatisticsDays } from './refund-statistics.presenter.js';
import {
  type ChartedRequests,
  type RefundFigures,
  RefundReportsRepository,
  type RefundSegment,
  type RefundsOfDay,
} from './refund-reports.repository.js';

export type { RefundSegment };

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 28;

@Injectable()
export class RefundStatisticsService {
  constructor(
    private readonly repository: RefundReportsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400 for an empty range */
  async forDays(
    projectId: string,
    query: RefundStatisticsQuery,
  ): Promise<{ days: StatisticsDays; figures: RefundFigures[] }> {
    const today = new Date(Math.floor(this.clock.nowMs() / DAY_MS) * DAY_MS);
    const lastDay = query.end_date ?? today;
    const firstDay = query.start_date ?? new Date(lastDay.getTime() - (DEFAULT_DAYS - 1) * DAY_MS);
    if (lastDay < firstDay) throw ApiError.parameter('end_date', 'end_date must not be before start_date.');
    const figures = await this.repository.figures(projectId, {
      from: firstDay,
      to: new Date(lastDay.getTime() + DAY_MS),
      environment: query.environment,
      store: query.store,
      appId: query.app_id,
    });
    return { days: { firstDay, lastDay }, figures };
  }

  /** Counts requests for a chart, in the snapshot of its other figures. */
  outcomesByDay(snapshot: Reader, projectId: string, charted: ChartedRequests): Promise<RefundsOfDay[]> {
    return this.repository.outcomesByDay(snapshot, projectId, charted);
  }
}
