import { Injectable } from '@nestjs/common';
import type { UsageEvent } from '../../../libs/stores/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { DatabaseClockService } from '../../platform/jobs/database-clock.service.js';
import { RefundAnswersJob } from './refund-answers.job.js';
import type { AnswerRefundRequestDto } from './refund-request.dto.js';
import type { RefundRequest } from './refund-request.entity.js';
import type { ShownRefundRequest } from './refund-request.presenter.js';
import {
  type PersonsAnswer,
  type RefundRequestFilter,
  type RefusedAnswer,
  RefundRequestsRepository,
} from './refund-requests.repository.js';

/** A refused answer cannot be repaired. It stays visible long enough to find the cause. */
const REFUSAL_SHOWS_MS = 30 * 86_400_000;

/** @throws ApiError 400 for statements that the store rejects */
function assertAccepted(
  { store, storeData }: RefundRequest,
  { delivery_status: delivery = 'delivered', consumption_percentage: percentage }: AnswerRefundRequestDto,
): void {
  const isUndelivered = delivery !== 'delivered';
  if (store === 'play_store' && isUndelivered)
    throw ApiError.parameter('delivery_status', 'delivery_status is only for requests of the App Store.');
  if (percentage === undefined) return;
  if (store !== 'play_store' && storeData?.kind === 'auto_renewable') {
    const message = 'Apple computes the used part of an auto-renewable subscription: leave it out.';
    throw ApiError.parameter('consumption_percentage', message);
  }
  if (isUndelivered && percentage !== 0) {
    const message = 'consumption_percentage must be 0 for a purchase that was not delivered.';
    throw ApiError.parameter('consumption_percentage', message);
  }
}

/** Refund requests as people see and answer them. */
@Injectable()
export class RefundRequestsService {
  constructor(
    private readonly repository: RefundRequestsRepository,
    private readonly job: RefundAnswersJob,
    private readonly writes: ProjectWritesService,
    private readonly clock: DatabaseClockService,
  ) {}

  /** Up to `limit + 1`, newest first. @throws ApiError 400 for a cursor of another list */
  async page(
    projectId: string,
    filter: RefundRequestFilter,
    page: PageRequest,
  ): Promise<ShownRefundRequest[]> {
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.repository.find(projectId, id);
      return found && [found.requestedAt, id];
    });
    return this.repository.page(projectId, filter, page, after);
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<ShownRefundRequest> {
    const found = await this.repository.find(projectId, id);
    if (!found) throw ApiError.missing('refund request', id);
    return found;
  }

  /** Sends a person's answer at once. @throws ApiError 404; 409 if it is answered; 400 for what the store rejects */
  async answer(write: ProjectWrite, id: string, body: AnswerRefundRequestDto): Promise<ShownRefundRequest> {
    const answered = await this.change(write, id, async (tx, request) => {
      if (request.preference === null)
        throw new ApiError('conflict', 'The owner of the purchase is not known yet.');
      assertAccepted(request, body);
      const { preference, note = null } = body;
      return this.decide(tx, request, {
        preference,
        deliveryStatus: body.delivery_status ?? null,
        consumptionPercentage: body.consumption_percentage ?? null,
        note,
        answerStatus: 'waiting',
        answerReason: null,
        dueAt: new Date(this.clock.nowMs()),
      });
    });
    this.job.wake(answered);
    return answered;
  }

  /** Sends the store nothing. @throws ApiError 404; 409 if it is answered */
  leave(write: ProjectWrite, id: string, note: string | null): Promise<ShownRefundRequest> {
    return this.change(write, id, (tx, request) =>
      this.decide(tx, request, {
        preference: 'do_not_answer',
        deliveryStatus: null,
        consumptionPercentage: null,
        note,
        answerStatus: 'not_wanted',
        answerReason: 'person',
        dueAt: null,
      }),
    );
  }

  /** @throws ApiError 404; 409 if it is answered; 422 unless it is a chargeback of Google Play */
  setEvidence(write: ProjectWrite, id: string, events: UsageEvent[]): Promise<ShownRefundRequest> {
    return this.change(write, id, async (tx, request) => {
      if (request.store !== 'play_store')
        throw new ApiError('impossible', 'Only answers to Google Play contain evidence.');
      await tx.audit({
        action: 'evidence_updated',
        target: 'refund_request',
        targetId: id,
        data: { events: events.length },
      });
      return this.repository.setEvidence(tx, request, events);
    });
  }

  /** The newest answer that each app's store refused, by app id, within the last 30 days. */
  async refusalsOf(projectId: string): Promise<Map<string, RefusedAnswer>> {
    const since = new Date(this.clock.nowMs() - REFUSAL_SHOWS_MS);
    const rows = await this.repository.refusals(projectId, since);
    return new Map(rows.map((row) => [row.appId, row]));
  }

  private async decide(
    tx: WriteTransaction,
    request: RefundRequest,
    answer: Omit<PersonsAnswer, 'answeredBy'>,
  ): Promise<boolean> {
    const { preference } = answer;
    await tx.audit({
      action: 'answered',
      target: 'refund_request',
      targetId: request.id,
      data: { preference },
    });
    const answeredBy = tx.write.actor.identifier;
    return this.repository.answerByPerson(tx, request, { ...answer, answeredBy });
  }

  /** `work` returns false if the answer is being sent. */
  private async change(
    write: ProjectWrite,
    id: string,
    work: (tx: WriteTransaction, request: RefundRequest) => Promise<boolean>,
  ): Promise<ShownRefundRequest> {
    const { projectId } = write;
    await this.writes.run(write, async (tx) => {
      const request = await this.repository.lock(tx, { projectId, id });
      if (!request) throw ApiError.missing('refund request', id);
      const isOpen = request.answerStatus === 'waiting' || request.answerStatus === 'held';
      if (!isOpen) throw new ApiError('conflict', `The request is ${request.answerStatus}.`);
      if (this.clock.nowMs() >= request.deadlineAt.getTime())
        throw new ApiError('conflict', 'The request is expired.');
      if (!(await work(tx, request))) throw new ApiError('conflict', 'The answer is being sent.');
    });
    return this.get(projectId, id);
  }
}
