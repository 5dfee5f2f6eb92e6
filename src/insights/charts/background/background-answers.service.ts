import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { ChartAnswer } from '../answers/answer.model.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { BackgroundQuestionsJob } from './background-questions.job.js';
import {
  BackgroundQuestionsRepository,
  type QuestionKey,
  type QuestionStatus,
} from './background-questions.repository.js';
import { ChartPatienceService } from './chart-patience.service.js';
import { restoredAnswer } from './stored-answer.js';
import { hashOf, storedQuestion } from './stored-question.js';

const MAX_OPEN = 20;
const TOO_MANY_RETRY_S = 60;
const MIN_RETRY_S = 2;
const MAX_RETRY_S = 60;
/** A question that starts later than this is not computed for the time being. */
const UNKNOWN_RETRY_S = 10;
const FRESH_MS = 60_000;
const TOUCH_EVERY_MS = 60 * 60_000;
const MS_PER_SECOND = 1000;

export const keyOf = (question: ChartQuestion): QuestionKey => ({
  projectId: question.projectId,
  hash: hashOf(storedQuestion(question)),
});

/** Answers questions that take too long for a request. */
@Injectable()
export class BackgroundAnswersService {
  constructor(
    private readonly questions: BackgroundQuestionsRepository,
    private readonly job: BackgroundQuestionsJob,
    private readonly patience: ChartPatienceService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether a question is stored, answered or not. */
  async has(question: ChartQuestion): Promise<boolean> {
    const status = await this.questions.find(keyOf(question));
    return status !== null && this.isUsable(status, false);
  }

  /**
   * Returns the stored answer, or waits for it.
   *
   * @param pieces that are read for the answer
   * @throws ApiError 503 if it is not there in time, 400 if the question was refused
   */
  async answer(question: ChartQuestion, pieces: number, isFresh: boolean): Promise<ChartAnswer> {
    const endMs = performance.now() + this.patience.backgroundMs;
    await this.ask(question, pieces, isFresh);
    for (;;) {
      const status = await this.questions.find(keyOf(question));
      if (status?.state === 'done') return this.restored(question, status);
      if (status?.state === 'failed') throw failed();
      // It is not asked again if it was deleted meanwhile: the next request does that.
      if (status === null || performance.now() >= endMs) throw this.computing(status, pieces);
      await sleep(this.patience.lookMs);
    }
  }

  /** Returns the stored answer. Without one, the question is asked and the result is null. */
  async answerIfDone(question: ChartQuestion, pieces: number): Promise<ChartAnswer | null> {
    const status = await this.questions.find(keyOf(question));
    if (
      status?.state === 'done' &&
      this.isUsable(status, false) &&
      status.answer !== null &&
      !('refused' in status.answer)
    )
      return this.restored(question, status);
    await this.ask(question, pieces, false).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
    return null;
  }

  private restored(question: ChartQuestion, { answer, asOfMs }: QuestionStatus): ChartAnswer {
    if (answer === null) throw new Error('a question that is done has an answer');
    return restoredAnswer(question, answer, asOfMs ?? 0);
  }

  /** Joins the question if it is stored. @throws ApiError 503 if too many are waiting */
  private async ask(question: ChartQuestion, pieces: number, isFresh: boolean): Promise<void> {
    const key = keyOf(question);
    const now = new Date(this.clock.nowMs());
    const status = await this.questions.find(key);
    if (status && this.isUsable(status, isFresh)) {
      if (now.getTime() - status.askedAtMs > TOUCH_EVERY_MS) await this.questions.touch(key, now);
      return;
    }
    if ((await this.questions.countOpen(key.projectId)) >= MAX_OPEN) throw tooMany();
    await this.questions.enqueue(key, storedQuestion(question), pieces, now);
    this.job.wake();
  }

  private isUsable({ state, expiresAtMs, computedAtMs }: QuestionStatus, isFresh: boolean): boolean {
    if (state === 'waiting' || state === 'computing') return true;
    const nowMs = this.clock.nowMs();
    if (expiresAtMs === null || expiresAtMs <= nowMs) return false;
    return state === 'failed' || !isFresh || nowMs - (computedAtMs ?? 0) <= FRESH_MS;
  }

  private computing(status: QuestionStatus | null, expected: number): ApiError {
    const { pieces, piecesDone, startedAtMs } = status ?? {
      pieces: expected,
      piecesDone: 0,
      startedAtMs: null,
    };
    const tookMs = startedAtMs === null ? 0 : this.clock.nowMs() - startedAtMs;
    const restS =
      piecesDone === 0 ? UNKNOWN_RETRY_S : (tookMs * (pieces - piecesDone)) / piecesDone / MS_PER_SECOND;
    return new ApiError(
      'overloaded',
      `The chart is being computed: ${piecesDone} of ${pieces} parts are done.`,
      {
        reason: 'chart_computing',
        retryAfterS: Math.min(MAX_RETRY_S, Math.max(MIN_RETRY_S, Math.ceil(restS))),
      },
    );
  }
}

function tooMany(): ApiError {
  return new ApiError('overloaded', 'Too many charts are being computed for this project.', {
    reason: 'too_many_charts',
    retryAfterS: TOO_MANY_RETRY_S,
  });
}

function failed(): ApiError {
  return new ApiError('overloaded', 'This chart could not be computed. It is tried again in 10 minutes.', {
    reason: 'chart_failed',
    retryAfterS: 10 * 60,
  });
}
