import { Injectable } from '@nestjs/common';
import { utcDay, utcDayMs } from '../../../libs/kernel/index.js';
import { readQuery } from '../../platform/http/lists/query-parameters.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import type { ChartAnswer } from '../charts/answers/answer.model.js';
import { ChartsService } from '../charts/answers/charts.service.js';
import type { ChartQuestion } from '../charts/question/chart-question.js';
import { ChartQuery } from '../charts/question/charts.query.js';
import { ChartQuestionsService } from '../charts/routes/chart-questions.service.js';
import type { Digest } from './digest.entity.js';
import { chartFigures, type ChartFigureId, type DigestFigure, isChartFigure } from './digest-figures.js';
import type { FigureValues } from './digest-lines.policy.js';
import { endOf, type ReportedPeriod } from './digest-schedule.policy.js';

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
/** Days of the revenue that a daily digest draws, the reported one included. */
const DRAWN_DAYS = 14;

export interface PeriodFigures {
  /** In the order of the lines. */
  values: Map<DigestFigure, FigureValues | null>;
  /** Only for daily digests; null while it is computed. */
  revenueByDay: number[] | null;
  /** All figures include everything until the end of the period. */
  isComplete: boolean;
}

type Asked = Pick<Digest, 'projectId' | 'period' | 'environment' | 'figures'>;

/** Reads the figures of a period from the charts, so that a digest and a chart never differ. */
@Injectable()
export class DigestFiguresService {
  constructor(
    private readonly questions: ChartQuestionsService,
    private readonly charts: ChartsService,
    private readonly alerts: ProjectAlertsService,
  ) {}

  async read(digest: Asked, reported: ReportedPeriod): Promise<PeriodFigures> {
    const isDaily = digest.period === 'daily';
    const chosen = digest.figures.filter(isChartFigure);
    const read: ChartFigureId[] = isDaily ? [...new Set([...chosen, 'revenue' as const])] : chosen;
    const questions = await this.questionsOf(digest, reported, read);
    const answers = await this.charts.answerSeries([...questions.values()]);
    const series = new Map<DigestFigure, number[]>();
    for (const [figure, question] of questions) {
      const answer = answers.get(question);
      if (answer) series.set(figure, valuesOf(question, answer, figure));
    }
    const values = new Map<DigestFigure, FigureValues | null>();
    for (const figure of digest.figures) values.set(figure, await this.valueOf(digest, figure, series));
    return {
      values,
      revenueByDay: (isDaily && series.get('revenue')) || null,
      isComplete: [...questions.values()].every(
        (question) => (answers.get(question)?.lastComputedAtMs ?? 0) >= endOf(reported),
      ),
    };
  }

  private async valueOf(
    { projectId }: Asked,
    figure: DigestFigure,
    series: ReadonlyMap<DigestFigure, number[]>,
  ): Promise<FigureValues | null> {
    if (!isChartFigure(figure)) return { value: await this.alerts.countOpen(projectId), previous: 0 };
    const values = series.get(figure);
    return values ? { value: values.at(-1) ?? 0, previous: values.at(-2) ?? 0 } : null;
  }

  /** One question for each chart: days of two weeks, or the reported week and the one before. */
  private async questionsOf(
    { projectId, period, environment }: Asked,
    { firstDay, lastDay }: ReportedPeriod,
    figures: readonly ChartFigureId[],
  ): Promise<Map<ChartFigureId, ChartQuestion>> {
    const ask = await this.questions.reader(projectId);
    const days = period === 'daily' ? DRAWN_DAYS - 1 : DAYS_PER_WEEK;
    const query = readQuery(ChartQuery, {
      start_date: utcDay(utcDayMs(firstDay) - days * DAY_MS),
      end_date: lastDay,
      resolution: period === 'daily' ? 'day' : 'week',
      environment,
    });
    return new Map(figures.map((figure) => [figure, ask(chartFigures[figure].chart, () => query)]));
  }
}

/** One value for each bucket, oldest first. */
function valuesOf({ chart }: ChartQuestion, answer: ChartAnswer, figure: ChartFigureId): number[] {
  if (answer.form !== 'series') throw new Error(`the chart ${chart.id} has no time series`);
  const index = answer.measures.findIndex(({ id }) => id === chartFigures[figure].measure);
  return answer.values.filter(({ measure }) => measure === index).map(({ value }) => value);
}
