import { Injectable } from '@nestjs/common';
import { PlayCancellationsService } from '../../../purchases/play-cancellations/play-cancellations.service.js';
import { RefundStatisticsService } from '../../../stores/refund-requests/reports/refund-statistics.service.js';
import type { SeriesChart } from '../definitions/chart.model.js';
import { isCancellationFigure, isRefundFigure } from '../definitions/figures.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { countCancellations } from './cancellation-answer.js';
import { ChartRollupRepository } from '../rollup/chart-rollup.repository.js';
import { ChartRatesService } from './chart-rates.service.js';
import { sumCounted } from './counted-answer.js';
import { type ExplorerSums, sumExplorer } from './explorer-answer.js';
import type { PieceReader } from './pieces.js';
import type { QuestionSums } from './question-sums.js';
import { countRefunds } from './refund-answer.js';
import { sumRetention } from './retention-answer.js';
import { SeriesService } from './series.service.js';
import { sumStatus } from './status-answer.js';
import type { NamedSums } from './series-values.js';

/** Reads everything that an answer needs. */
@Injectable()
export class ChartSumsService {
  constructor(
    private readonly series: SeriesService,
    private readonly rates: ChartRatesService,
    private readonly rollup: ChartRollupRepository,
    private readonly refunds: RefundStatisticsService,
    private readonly cancellations: PlayCancellationsService,
  ) {}

  /** @throws ApiError 400 for filters that the chart cannot combine, or too many sums */
  async sum(reader: PieceReader, question: ChartQuestion): Promise<QuestionSums> {
    const { chart } = question;
    switch (chart.table) {
      case 'series':
        return { form: 'series', rows: await this.sumSeries(reader, chart, question) };
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
  ): Promise<NamedSums[]> {
    if (chart.flows.some(isRefundFigure))
      return sumCounted(chart, question, await countRefunds(reader.whole, this.refunds, question));
    if (chart.flows.some(isCancellationFigure))
      return sumCounted(
        chart,
        question,
        await countCancellations(reader.whole, this.cancellations, question),
      );
    return this.series.sum(reader, chart, question);
  }
}
