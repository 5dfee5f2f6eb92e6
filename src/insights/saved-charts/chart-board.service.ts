import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ChartAnswer } from '../charts/answers/answer.model.js';
import { ChartsService } from '../charts/answers/charts.service.js';
import type { ChartQuestion } from '../charts/question/chart-question.js';
import { ChartQuestionsService } from '../charts/routes/chart-questions.service.js';
import type { SavedChart } from './saved-chart.entity.js';
import { chartQueryOf, pictureQueryOf, type ReaderChoices } from './saved-parameters.policy.js';
import { type ChartReader, SavedChartsRepository } from './saved-charts.repository.js';

/** Charts on a board, so that one call has a bound. */
const MOST = 12;

/** A saved chart with its answer, or the reason why it has none. */
export interface BoardChart {
  chart: SavedChart;
  question: ChartQuestion | null;
  answer: ChartAnswer | null;
  problem: string | null;
}

/** Answers the first saved charts of a reader, like the pictures of all charts. */
@Injectable()
export class ChartBoardService {
  constructor(
    private readonly repository: SavedChartsRepository,
    private readonly questions: ChartQuestionsService,
    private readonly charts: ChartsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read(reader: ChartReader, choices: ReaderChoices): Promise<BoardChart[]> {
    const charts = await this.repository.board(reader, MOST);
    if (charts.length === 0) return [];
    const todayMs = this.clock.nowMs();
    const readOne = await this.questions.reader(reader.projectId);
    const asked = charts.map(({ chartName, parameters }) =>
      questionOrProblem(() =>
        readOne(chartName, ({ table }) => {
          const isCohorts = table === 'retention' || table === 'explorer';
          return pictureQueryOf(chartQueryOf(parameters, { isCohorts, todayMs }, choices), parameters);
        }),
      ),
    );
    const questions = asked.filter((one) => typeof one !== 'string');
    const answers = await this.charts.answerSeries(questions);
    return charts.map((chart, index) => {
      const question = asked[index]!;
      if (typeof question === 'string') return { chart, question: null, answer: null, problem: question };
      return { chart, question, answer: answers.get(question) ?? null, problem: null };
    });
  }
}

/** A chart, filter or attribute may have disappeared after the chart was saved. */
function questionOrProblem(read: () => ChartQuestion): ChartQuestion | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
