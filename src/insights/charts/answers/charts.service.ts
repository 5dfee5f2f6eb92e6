import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Reader } from '../../../platform/database/database.service.js';
import { SharedReads } from '../../../platform/database/shared-reads.js';
import { PlayCancellationsService } from '../../../purchases/play-cancellations/play-cancellations.service.js';
import { RefundStatisticsService } from '../../../stores/refund-requests/reports/refund-statistics.service.js';
import type { SeriesChart } from '../definitions/chart.model.js';
import { isCancellationFigure, isRefundFigure } from '../definitions/figures.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { ChartRollupService } from '../rollup/chart-rollup.service.js';
import type { ChartAnswer, SeriesAnswer } from './answer.model.js';
import { countCancellations } from './cancellation-answer.js';
import { ChartRatesService } from './chart-rates.service.js';
import { answerCounted } from './counted-answer.js';
import { answerExplorer } from './explorer-answer.js';
import { countRefunds } from './refund-answer.js';
import { answerRetention } from './retention-answer.js';
import { SeriesService } from './series.service.js';
import { answerStatus } from './status-answer.js';

/** Cache time for answers of the one chart that can take seconds. */
const CACHED_MS = 60_000;
const MAX_CACHED = 200;

/** Answers charts. Rolls up pending changes first, then reads everything from one snapshot. */
@Injectable()
export class ChartsService {
  private readonly reads = new SharedReads<ChartAnswer>();
  private readonly cached = new Map<string, { answer: ChartAnswer; atMs: number }>();

  constructor(
    private readonly rollup: ChartRollupService,
    private readonly series: SeriesService,
    private readonly rates: ChartRatesService,
    private readonly refunds: RefundStatisticsService,
    private readonly cancellations: PlayCancellationsService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400 for filters that the chart cannot combine */
  async answer(question: ChartQuestion): Promise<ChartAnswer> {
    const { chart, filters, segment, ...rest } = question;
    const key = JSON.stringify([
      chart.id,
      filters.map(({ dimension, values }) => [dimension.column, values]),
      segment === null || typeof segment === 'string' ? segment : segment.column,
      { ...rest, nowMs: null },
    ]);
    if (chart.table !== 'explorer') return this.reads.read(key, () => this.read(question));
    const known = this.cached.get(key);
    if (known && Math.abs(this.clock.nowMs() - known.atMs) < CACHED_MS) return known.answer;
    const answer = await this.reads.read(key, () => this.read(question));
    if (this.cached.size >= MAX_CACHED) this.cached.delete(this.cached.keys().next().value ?? '');
    this.cached.set(key, { answer, atMs: question.nowMs });
    return answer;
  }

  /** Answers the questions of one project that are not cohort tables, which are slow, from one snapshot. */
  async answerSeries(questions: readonly ChartQuestion[]): Promise<Map<ChartQuestion, ChartAnswer>> {
    const answers = new Map<ChartQuestion, ChartAnswer>();
    const [first] = questions;
    if (!first) return answers;
    const updatedAtMs = await this.rollup.catchUp(first.projectId);
    await this.database.snapshotForReading(async (snapshot) => {
      for (const question of questions) {
        const { table } = question.chart;
        if (table === 'retention' || table === 'explorer') continue;
        answers.set(question, await this.ask(snapshot, question, updatedAtMs));
      }
    });
    return answers;
  }

  private async read(question: ChartQuestion): Promise<ChartAnswer> {
    const updatedAtMs = await this.rollup.catchUp(question.projectId);
    return this.database.snapshotForReading((snapshot) => this.ask(snapshot, question, updatedAtMs));
  }

  private ask(snapshot: Reader, question: ChartQuestion, updatedAtMs: number): Promise<ChartAnswer> {
    const { chart } = question;
    const rates = this.rates.perUsd(question.currency);
    switch (chart.table) {
      case 'series':
        return this.askSeries(snapshot, chart, question, updatedAtMs);
      case 'retention':
        return answerRetention(snapshot, question, updatedAtMs);
      case 'explorer':
        return answerExplorer(snapshot, question, rates, updatedAtMs);
      case 'status':
        return answerStatus(snapshot, chart, question, rates, updatedAtMs);
    }
  }

  private async askSeries(
    snapshot: Reader,
    chart: SeriesChart,
    question: ChartQuestion,
    updatedAtMs: number,
  ): Promise<SeriesAnswer> {
    const counts = chart.flows.some(isRefundFigure)
      ? await countRefunds(snapshot, this.refunds, question)
      : chart.flows.some(isCancellationFigure)
        ? await countCancellations(snapshot, this.cancellations, question)
        : null;
    return counts === null
      ? this.series.answer(snapshot, chart, question, updatedAtMs)
      : answerCounted(chart, question, counts, updatedAtMs);
  }
}
