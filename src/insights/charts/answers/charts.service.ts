import { Injectable } from '@nestjs/common';
import { within } from '../../../../libs/kernel/index.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { SharedReads } from '../../../platform/database/shared-reads.js';
import { BackgroundAnswersService, keyOf } from '../background/background-answers.service.js';
import { ChartPatienceService } from '../background/chart-patience.service.js';
import { readsCustomers } from '../background/effort.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { ChartRollupService } from '../rollup/chart-rollup.service.js';
import type { ChartAnswer } from './answer.model.js';
import { ChartSumsService } from './chart-sums.service.js';
import { type Computed, ComputationsService, GivenUp, type Plan } from './computations.service.js';
import { type Piece, PieceReader, piecesBetween } from './pieces.js';
import { answerOf } from './question-sums.js';
import { durationOf } from './retention-answer.js';

/** Questions that probably take longer are answered in the background. */
const MAX_INLINE_EFFORT_MS = 2_000;

/** Answers charts: within the request, or in the background if that takes long. */
@Injectable()
export class ChartsService {
  private readonly reads = new SharedReads<Computed>();

  constructor(
    private readonly computations: ComputationsService,
    private readonly background: BackgroundAnswersService,
    private readonly sums: ChartSumsService,
    private readonly rollup: ChartRollupService,
    private readonly database: DatabaseService,
    private readonly patience: ChartPatienceService,
  ) {}

  /** @throws ApiError 400 for filters that the chart cannot combine */
  assertAnswerable(question: ChartQuestion): void {
    if (question.chart.table === 'retention') durationOf(question);
  }

  /**
   * `isFresh` ignores a stored answer that is older than a minute.
   *
   * @throws ApiError 400 for filters that the chart cannot combine, 503 while the chart is computed in the background
   */
  async answer(question: ChartQuestion, isFresh = false): Promise<ChartAnswer> {
    if (!readsCustomers(question)) {
      const { sums, asOfMs } = await this.compute(question, piecesBetween([]), Infinity);
      return answerOf(question, sums, asOfMs);
    }
    const plan = await this.computations.planOf(question);
    if (!(await this.isLong(question, plan))) {
      const { inlineMs } = this.patience;
      const inTime = this.compute(question, plan.pieces, inlineMs).catch((error: unknown) => {
        if (error instanceof GivenUp) return null;
        throw error;
      });
      const computed = await within(inTime, inlineMs, null);
      if (computed !== null) return answerOf(question, computed.sums, computed.asOfMs);
    }
    return this.background.answer(question, plan.parts, isFresh);
  }

  /**
   * Answers the questions of one project that are not cohort tables, which are slow, from one snapshot. Those that take
   * long are missing until they have been computed in the background.
   */
  async answerSeries(questions: readonly ChartQuestion[]): Promise<Map<ChartQuestion, ChartAnswer>> {
    const answers = new Map<ChartQuestion, ChartAnswer>();
    const [first] = questions;
    if (!first) return answers;
    const series = questions.filter(({ chart: { table } }) => table === 'series' || table === 'status');
    const plans = await this.computations.plansOf(first.projectId, series);
    const isLong = (question: ChartQuestion): boolean =>
      (plans.get(question)?.effortMs ?? 0) > MAX_INLINE_EFFORT_MS;
    for (const question of series.filter(isLong)) {
      const answer = await this.background.answerIfDone(question, plans.get(question)?.parts ?? 1);
      if (answer !== null) answers.set(question, answer);
    }
    const updatedAtMs = await this.rollup.catchUp(first.projectId);
    await this.database.snapshotForReading(async (snapshot) => {
      for (const question of series.filter((one) => !isLong(one))) {
        const sums = await this.sums.sum(new PieceReader([snapshot]), question);
        answers.set(question, answerOf(question, sums, updatedAtMs));
      }
    });
    return answers;
  }

  /** A question that took too long before is stored. */
  private async isLong(question: ChartQuestion, { effortMs }: Plan): Promise<boolean> {
    return effortMs > MAX_INLINE_EFFORT_MS || (await this.background.has(question));
  }

  private compute(question: ChartQuestion, pieces: readonly Piece[], limitMs: number): Promise<Computed> {
    return this.reads.read(JSON.stringify(keyOf(question)), () =>
      this.computations.compute(question, pieces, limitMs),
    );
  }
}
