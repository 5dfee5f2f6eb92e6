import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.service.js';
import type { TableChart } from '../definitions/chart.model.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { ChartAnswer } from './answer.model.js';
import { ExplorerService } from './explorer.service.js';
import { RetentionService } from './retention.service.js';
import { StatusService } from './status.service.js';

/** Answers charts that are not a time series. */
@Injectable()
export class ChartTablesService {
  constructor(
    private readonly retention: RetentionService,
    private readonly explorer: ExplorerService,
    private readonly status: StatusService,
  ) {}

  answer(
    snapshot: Reader,
    chart: TableChart,
    question: ChartQuestion,
    lastComputedAtMs: number,
  ): Promise<ChartAnswer> {
    switch (chart.table) {
      case 'retention':
        return this.retention.answer(snapshot, question, lastComputedAtMs);
      case 'explorer':
        return this.explorer.answer(snapshot, question, lastComputedAtMs);
      case 'status':
        return this.status.answer(snapshot, chart, question, lastComputedAtMs);
    }
  }
}
