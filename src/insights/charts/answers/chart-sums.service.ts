import { Injectable } from '@nestjs/common';
import { PlayCancellationsService } from '../../../purchases/play-cancellations/play-cancellations.service.js';
import { RefundStatisticsService } from '../../../stores/refund-requests/reports/refund-statistics.service.js';
import { ActiveCustomersService } from '../activity/active-customers.service.js';
import type { SeriesChart } from '../definitions/chart.model.js';
import { isCancellationFigure, isRefundFigure } from '../definitions/figures.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { sumActivity } from './activity-answer.js';
import { countCancellations } from './cancellation-answer.js';
import { ChartRollupRepository } from '../rollup/chart-rollup.repository.js';
import { ChartRatesService } from './chart-rates.service.js';
import { sumCounted } from './counted-answer.js';
import { type ExplorerSums, sumExplorer } from './explorer-answer.js';
import type { PieceReader } from './pieces.js';
import type { QuestionSums, SeriesSums } from './question-sums.js';
import { countRefunds } from './refund-answer.js';
import { sumRetention } from './retention-answer.js';
import { SeriesService } from './series.service.js';
import { sumStatus } from './status-answer.js';

/** Reads everything that an answer needs. */
@Injectable()
export class ChartSumsService {
  constructor(
    private readonly series: SeriesService,
    private readonly rates: ChartRatesService,
    private readonly rollup: ChartRollupRepository,
    private readonly refunds: RefundStatisticsService,
    private readonly cancellations: PlayCancellationsService,
    private readonly activity: ActiveCustomersService,
  ) {}

  /** @throws ApiError 400 for filters that the chart cannot combine, or too many sums */
  async sum(reader: PieceReader, question: ChartQuestion): Promise<QuestionSums> {
    const { chart } = question;
    switch (chart.table) {
      case 'series':
        return this.sumSeries(reader, chart, question);
      case 'status':
        return {
          form: 'series',
          rows: await sumStatus(reader, question, this.rates.perUsd(question.currency)),
        };
      case 'retention':
        return sumRetention(reader, question);
      case 'explorer':
        return this.sumExplorer(reader, question);
    }
  }

  private async sumExplorer(reader: PieceReader, question: ChartQuestion): Promise<ExplorerSums> {
    const days = await this.rollup.storedDays(reader.whole, question.projectId, question.environment);
    return sumExplorer(reader, question, days, this.rates.perUsd(question.currency));
  }

  private async sumSeries(
    reader: PieceReader,
    chart: SeriesChart,
    question: ChartQuestion,
  ): Promise<SeriesSums> {
    const { whole } = reader;
    if (chart.flows.some(isRefundFigure)) {
      const counts = await countRefunds(whole, this.refunds, question);
      return { form: 'series', rows: sumCounted(chart, question, counts) };
    }
    if (chart.flows.some(isCancellationFigure)) {
      const counts = await countCancellations(whole, this.cancellations, question);
      return { form: 'series', rows: sumCounted(chart, question, counts) };
    }
    const active = chart.flows.includes('active_customers')
      ? await sumActivity(whole, this.activity, question)
      : null;
    return active ?? { form: 'series', rows: await this.series.sum(reader, chart, question) };
  }
}
