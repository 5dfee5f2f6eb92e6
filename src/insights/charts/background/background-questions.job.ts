import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { LeasedWorkFactory } from '../../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../../platform/jobs/leased-work.job.js';
import type { Lease, LeasedWork } from '../../../platform/jobs/leased-work.js';
import { ProjectsService } from '../../../workspace/projects/projects.service.js';
import { ComputationsService } from '../answers/computations.service.js';
import { BackgroundQuestionsRepository, type ClaimedQuestion } from './background-questions.repository.js';
import { storedAnswer, storedRefusal } from './stored-answer.js';
import { restoredQuestion } from './stored-question.js';

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const MAX_QUESTIONS = 2;
const MAX_ATTEMPTS = 3;
const RETRY_MS = 5_000;
const FAILED_FOR_MS = 10 * 60_000;
const PROGRESS_MS = 500;

const MIN_AGE_MS = 10 * 60_000;
const MAX_AGE_MS = 6 * 60 * 60_000;
/** An answer lasts this many times as long as it took. */
const AGE_TIMES = 60;
const DAY_MS = 86_400_000;

const failedTo = {
  claim: 'questions to charts could not be found; the next poll tries again',
  work: 'a chart could not be computed; it is tried again, at most three times',
  renew: 'leases of questions to charts could not be renewed',
};

/** Returns the time until which an answer is used: today at most, because most questions end today. */
export function expiryOf(asOfMs: number, nowMs: number, tookMs: number): number {
  const ageMs = Math.min(MAX_AGE_MS, Math.max(MIN_AGE_MS, AGE_TIMES * tookMs));
  return Math.min(asOfMs + ageMs, (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS);
}

/** Computes charts that take too long for a request. */
@Injectable()
export class BackgroundQuestionsJob extends LeasedWorkJob<ClaimedQuestion> {
  protected readonly leased: LeasedWork<ClaimedQuestion>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: BackgroundQuestionsRepository,
    private readonly computations: ComputationsService,
    private readonly projects: ProjectsService,
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
    this.leased = leasedWork.create<ClaimedQuestion>({
      name: 'chart_questions',
      leaseMs: LEASE_MS,
      slots: { total: Math.max(1, Math.min(MAX_QUESTIONS, config.reportConnections - 1)), perKey: 1 },
      keyOf: ({ projectId }) => projectId,
      claim: (terms, free) => repository.claim(terms, free),
      work: (question, lease) => this.answer(question, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  @Interval('chart-questions', POLL_MS)
  override wake(): void {
    super.wake();
  }

  private async answer(claimed: ClaimedQuestion, lease: Lease): Promise<void> {
    const startedAt = performance.now();
    const nowMs = this.clock.nowMs();
    const { answer, asOfMs } = await this.compute(claimed, nowMs).catch(async (error: unknown) => {
      await lease.record((leaseUntil) => this.retry(claimed, leaseUntil));
      throw error;
    });
    const tookMs = performance.now() - startedAt;
    await lease.record((leaseUntil) =>
      this.repository.finish(claimed, leaseUntil, {
        answer,
        asOf: new Date(asOfMs),
        computedAt: new Date(this.clock.nowMs()),
        expiresAt: new Date(expiryOf(asOfMs, nowMs, tookMs)),
      }),
    );
  }

  /** Other errors than refusals are worth another attempt. */
  private async compute(
    claimed: ClaimedQuestion,
    nowMs: number,
  ): Promise<{ answer: string; asOfMs: number }> {
    const { projectId } = claimed;
    const { chartAttributes } = await this.projects.get(projectId);
    const question = restoredQuestion(projectId, claimed.question, chartAttributes, nowMs);
    // The project's attributes have changed. Such rows are deleted once the charts are computed again.
    const refusal = ApiError.parameter('chart_name', 'The project does not have this chart any more.');
    if (!question) return { answer: storedRefusal(refusal), asOfMs: nowMs };
    try {
      const { sums, asOfMs } = await this.computations.computeLong(
        question,
        claimed.attempts > 0,
        this.progressOf(claimed),
      );
      return { answer: storedAnswer(nowMs, sums), asOfMs };
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'parameter') throw error;
      return { answer: storedRefusal(error), asOfMs: nowMs };
    }
  }

  /** Saves progress from time to time. */
  private progressOf(claimed: ClaimedQuestion): (pieces: number, done: number) => Promise<void> {
    let savedAt = -Infinity;
    return async (pieces, done) => {
      if (performance.now() - savedAt < PROGRESS_MS) return;
      savedAt = performance.now();
      await this.repository.saveProgress(claimed, pieces, done);
    };
  }

  private async retry(claimed: ClaimedQuestion, leaseUntil: Date): Promise<void> {
    const nowMs = this.clock.nowMs();
    if (claimed.attempts + 1 >= MAX_ATTEMPTS)
      await this.repository.fail(claimed, leaseUntil, new Date(nowMs + FAILED_FOR_MS));
    else await this.repository.retryAt(claimed, leaseUntil, new Date(nowMs + RETRY_MS));
  }
}
