import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { effortOf, readsCustomers } from '../background/effort.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { ChartPiecesRepository, type DividedProject } from '../rollup/chart-pieces.repository.js';
import { ChartRollupService } from '../rollup/chart-rollup.service.js';
import { ChartSumsService } from './chart-sums.service.js';
import { type Piece, PieceReader, piecesBetween } from './pieces.js';
import type { QuestionSums } from './question-sums.js';

/** Pieces older than this are divided again before a long computation. */
const DIVIDED_FOR_MS = 60 * 60_000;

export interface Computed {
  sums: QuestionSums;
  /** The sums include everything until this time. */
  asOfMs: number;
}

/** How a question is computed. */
export interface Plan {
  effortMs: number;
  pieces: readonly Piece[];
  /** Pieces that are read, some of them more than once. */
  parts: number;
}

/** An answer was not there in time. */
export class GivenUp extends Error {}

function planFor(question: ChartQuestion, project: DividedProject): Plan {
  const { ms, reads, share } = effortOf(question, project);
  const boundaries = reads === 0 ? [] : project.boundaries;
  // A question about a small share of the customers reads several pieces as one.
  const every = Math.max(1, Math.floor(1 / Math.max(share, 1 / (boundaries.length + 1))));
  const pieces = piecesBetween(boundaries.filter((_, index) => (index + 1) % every === 0));
  return { effortMs: ms, pieces, parts: pieces.length * Math.max(1, reads) };
}

/** Computes answers. Rolls up pending changes first, then reads everything from one snapshot, piece by piece. */
@Injectable()
export class ComputationsService {
  constructor(
    private readonly sums: ChartSumsService,
    private readonly rollup: ChartRollupService,
    private readonly pieces: ChartPiecesRepository,
    private readonly database: DatabaseService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the plan of a question that reads customers. */
  async planOf(question: ChartQuestion): Promise<Plan> {
    return planFor(question, await this.pieces.find(question.projectId));
  }

  /** Returns the plans of questions of one project, without those that read no customers. */
  async plansOf(projectId: string, questions: readonly ChartQuestion[]): Promise<Map<ChartQuestion, Plan>> {
    const project = await this.pieces.find(projectId);
    return new Map(
      questions.filter(readsCustomers).map((question) => [question, planFor(question, project)]),
    );
  }

  /** Computes within a request. @throws GivenUp after `limitMs` */
  async compute(question: ChartQuestion, pieces: readonly Piece[], limitMs: number): Promise<Computed> {
    const endMs = performance.now() + limitMs;
    const asOfMs = await this.rollup.catchUp(question.projectId);
    const onPiece = (): Promise<void> =>
      performance.now() < endMs ? Promise.resolve() : Promise.reject(new GivenUp());
    return { sums: await this.sum(question, pieces, () => onPiece), asOfMs };
  }

  /** With `dividesAgain`, pieces are current: after a bulk import, old ones can be too large. */
  async computeLong(
    question: ChartQuestion,
    dividesAgain: boolean,
    onProgress: (parts: number, done: number) => Promise<void>,
  ): Promise<Computed> {
    const { projectId } = question;
    const now = new Date(this.clock.nowMs());
    const { countedAtMs } = await this.pieces.find(projectId);
    if (dividesAgain || countedAtMs === null || now.getTime() - countedAtMs > DIVIDED_FOR_MS)
      await this.database.transaction((tx) => this.pieces.renew(tx, projectId, now));
    const { pieces, parts } = await this.planOf(question);
    const asOfMs = await this.rollup.catchUp(projectId);
    const counting = () => {
      let done = 0;
      return () => onProgress(Math.max(parts, ++done), done);
    };
    return { sums: await this.sum(question, pieces, counting), asOfMs };
  }

  /** `started` is called for each attempt: a lost connection repeats everything. */
  private sum(
    question: ChartQuestion,
    pieces: readonly Piece[],
    started: () => () => Promise<void>,
  ): Promise<QuestionSums> {
    const more = Math.min(this.config.chartsParallel, pieces.length) - 1;
    return this.database.parallelForReading(more, (readers) =>
      this.sums.sum(new PieceReader(readers, pieces, started()), question),
    );
  }
}
