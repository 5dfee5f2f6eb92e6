import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Reader } from '../../../platform/database/database.service.js';
import { SharedReads } from '../../../platform/database/shared-reads.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { ChartRollupService } from '../rollup/chart-rollup.service.js';
import type { ChartAnswer } from './answer.model.js';
import { ChartTablesService } from './chart-tables.service.js';
import { SeriesService } from './series.service.js';

/** How long answers of the one chart that can take seconds are cached. */
const KEPT_MS = 60_000;
const MAX_KEPT = 200;

/** Answers charts. Rolls up pending changes first, then reads everything from one snapshot. */
@Injectable()
export class ChartsService {
  private readonly reads = new SharedReads<ChartAnswer>();
  private readonly kept = new Map<string, { answer: ChartAnswer; atMs: number }>();

  constructor(
    private readonly rollup: ChartRollupService,
    private readonly series: SeriesService,
    private readonly tables: ChartTablesService,
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
    const known = this.kept.get(key);
    if (known && Math.abs(this.clock.nowMs() - known.atMs) < KEPT_MS) return known.answer;
    const answer = await this.reads.read(key, () => this.read(question));
    if (this.kept.size >= MAX_KEPT) this.kept.delete(this.kept.keys().next().value ?? '');
    this.kept.set(key, { answer, atMs: question.nowMs });
    return answer;
  }

  private async read(question: ChartQuestion): Promise<ChartAnswer> {
    const updatedAtMs = await this.rollup.catchUp(question.projectId);
    return this.database.snapshotForReading((snapshot) => this.ask(snapshot, question, updatedAtMs));
  }

  private ask(snapshot: Reader, question: ChartQuestion, updatedAtMs: number): Promise<ChartAnswer> {
    const { chart } = question;
    return chart.table === 'series'
      ? this.series.answer(snapshot, chart, question, updatedAtMs)
      : this.tables.answer(snapshot, chart, question, updatedAtMs);
  }
}
