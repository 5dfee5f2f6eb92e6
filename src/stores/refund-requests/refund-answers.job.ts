import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Counter, Registry } from 'prom-client';
import type { AnswerPreference } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { DatabaseClockService } from '../../platform/jobs/database-clock.service.js';
import type { AppPlace } from '../../platform/jobs/project-claims.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import type { Lease, LeasedWork } from '../../platform/jobs/leased-work.js';
import { LogService } from '../../platform/observability/log.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { nextAnswer } from './answer-schedule.js';
import { RefundAnswersService, type SentAnswer } from './refund-answers.service.js';
import type { RefundRequest } from './refund-request.entity.js';
import { RefundRequestsRecorder } from './refund-requests.recorder.js';
import {
  type AnswerAttempt,
  type ClaimedRequest,
  RefundRequestsRepository,
} from './refund-requests.repository.js';

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const SLOTS = { total: 8, perKey: 4 };
/** How soon an answer is tried again that waits for credentials. */
const CREDENTIALS_EVERY_MS = 15 * 60_000;
const MAX_ERROR_LENGTH = 500;

const storeNames = { app_store: 'Apple', mac_app_store: 'Apple', play_store: 'Google' } as const;

const failedTo = {
  claim: 'refund requests could not be claimed; the next poll tries again',
  work: 'the answer to a refund request was not recorded; it is sent again when its lease ends',
  renew: 'leases of refund requests could not be renewed',
};

/** Answers refund requests that are due, and looks for the owners of those that have none. */
@Injectable()
export class RefundAnswersJob extends LeasedWorkJob<ClaimedRequest> implements OnModuleInit {
  protected readonly leased: LeasedWork<ClaimedRequest>;
  private readonly counter: Counter;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: RefundRequestsRepository,
    private readonly recorder: RefundRequestsRecorder,
    private readonly answers: RefundAnswersService,
    private readonly apps: AppsService,
    private readonly credentials: CredentialHealthService,
    private readonly clock: DatabaseClockService,
    private readonly log: LogService,
    registry: Registry,
  ) {
    super();
    this.counter = new Counter({
      name: 'tenure_refund_answers_total',
      help: 'Answers to refund requests of stores, by result: sent, refused for good, or expired.',
      labelNames: ['store', 'result'],
      registers: [registry],
    });
    for (const store of Object.keys(storeNames)) {
      for (const result of ['sent', 'refused', 'expired']) this.counter.inc({ store, result }, 0);
    }
    this.leased = leasedWork.createByApp<ClaimedRequest>(
      {
        name: 'refund_answers',
        leaseMs: LEASE_MS,
        slots: SLOTS,
        queue: repository,
        work: (request, lease) => this.process(request, lease),
        renew: (held, terms) => repository.renew(held, terms),
        failedTo,
      },
      clock,
    );
  }

  onModuleInit(): void {
    this.recorder.onWaiting((request) => this.wake(request));
    this.credentials.onRecovery(async (place) => {
      await this.repository.retry(place, new Date(this.clock.nowMs()));
      this.wake(place);
    });
  }

  @Interval('refund-answers', POLL_MS)
  override wake(app?: AppPlace): void {
    super.wake(app);
  }

  private async process(claimed: ClaimedRequest, lease: Lease): Promise<void> {
    const app = await this.apps.find(claimed.projectId, claimed.appId);
    // The app and its requests have been deleted.
    if (!app) return;
    const isUndecided = claimed.preference === null;
    const request = isUndecided ? await this.recorder.lookAgain(app, claimed) : claimed;
    if (!request) return;
    const attempt =
      isUndecided && !isDue(request, this.clock.nowMs())
        ? unchangedBy(request)
        : await this.attempt(app, request);
    await lease.record((leaseUntil) => this.recorder.recordAttempt(request, leaseUntil, attempt));
    const { store, answerStatus: result } = { store: app.type, ...attempt };
    if (result === 'sent' || result === 'refused' || result === 'expired')
      this.counter.inc({ store, result });
  }

  private async attempt(app: App, request: RefundRequest): Promise<AnswerAttempt> {
    const isLate = this.clock.nowMs() >= request.deadlineAt.getTime();
    if (isLate) return { ...unchangedBy(request), answerStatus: 'expired', dueAt: null };
    return this.resultOf(app, request, await this.send(app, request));
  }

  private async send(app: App, request: RefundRequest): Promise<SentAnswer> {
    try {
      return await this.answers.send(app, { ...request, preference: request.preference as AnswerPreference });
    } catch (error) {
      const { projectId, appId, id } = request;
      this.log.error({ err: error, projectId, appId, id }, 'a refund request was not answered');
      return { result: 'busy', message: "The server failed; see the server's log.", retryAfterMs: null };
    }
  }

  private resultOf(app: App, request: RefundRequest, answer: SentAnswer): AnswerAttempt {
    const nowMs = this.clock.nowMs();
    const at = new Date(nowMs);
    const unchanged = unchangedBy(request);
    const attempts = request.attempts + 1;
    const ended = { ...unchanged, attempts, dueAt: null };
    if (answer.result === 'sent')
      return { ...ended, answerStatus: 'sent', answeredAt: at, bodySent: answer.body };
    if (answer.result === 'not_wanted')
      return { ...ended, answerStatus: 'not_wanted', answerReason: answer.reason };
    if (answer.result === 'limited') {
      const dueAtMs = Math.min(nowMs + answer.forMs, request.deadlineAt.getTime());
      return { ...unchanged, answerStatus: 'waiting', dueAt: new Date(dueAtMs) };
    }
    const code = answer.result === 'refused' && answer.code !== null ? ` (${answer.code})` : '';
    const lastError = `${answer.message}${code}`.slice(0, MAX_ERROR_LENGTH);
    const failed = { ...unchanged, attempts, answerStatus: 'waiting' as const, lastError, lastErrorAt: at };
    if (answer.result === 'refused') {
      const { projectId, appId, id } = request;
      const store = storeNames[request.store];
      this.log.warn(
        { projectId, appId, refundRequestId: id, error: lastError },
        `${store} refused the answer to a refund request`,
      );
      return { ...failed, answerStatus: 'refused', answeredAt: at, dueAt: null };
    }
    const deadlineMs = request.deadlineAt.getTime();
    if (answer.result === 'credentials') {
      const dueAt = new Date(Math.min(nowMs + CREDENTIALS_EVERY_MS, deadlineMs));
      return { ...failed, attempts: request.attempts, dueAt };
    }
    const { retryAfterMs } = answer;
    return { ...failed, dueAt: nextAnswer({ id: request.id, attempts, deadlineMs, retryAfterMs }, nowMs) };
  }
}

/** Whether a request that was just decided can be answered at once. */
function isDue({ preference, dueAt }: RefundRequest, nowMs: number): boolean {
  return preference !== null && dueAt !== null && dueAt.getTime() <= nowMs;
}

function unchangedBy(request: RefundRequest): AnswerAttempt {
  const { answerStatus, answerReason, answeredAt, bodySent, dueAt, attempts, lastError, lastErrorAt } =
    request;
  return { answerStatus, answerReason, answeredAt, bodySent, dueAt, attempts, lastError, lastErrorAt };
}
