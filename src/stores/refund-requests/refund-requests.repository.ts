import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { customerIdOf, ownerOf } from '../../customers/customers/identity/customer-names.sql.js';
import {
  claimValues,
  pageOf,
  type PolledApp,
  pollValues,
  renewalValues,
} from '../../platform/jobs/app-queues.sql.js';
import type { QueuePage, QueuePlace } from '../../platform/jobs/project-claims.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import type { FreeSlots } from '../../platform/jobs/slots.js';
import type { AnswerReason, AnswerStatus, RefundOutcome } from '../../../libs/targeting/index.js';
import type { UsageEvent } from '../../../libs/stores/index.js';
import type { ReportedOutcome } from './new-refund-request.js';
import type { RefundDecision } from './refund-decision.policy.js';
import type { RefundRequest } from './refund-request.entity.js';
import type { ShownRefundRequest } from './refund-request.presenter.js';
import {
  answerByPerson,
  claim,
  appsDue,
  clearDetails,
  countBefore,
  decide,
  deleteOld,
  endOpen,
  find,
  finish,
  insert,
  lock,
  lockByStoreKey,
  openOrders,
  ownerOfOutcome,
  queue,
  refusals,
  renew,
  retry,
  setDueAt,
  setEvidence,
  setOutcome,
  setOwner,
  shownColumns,
} from './refund-requests.sql.js';
import { cleanUp } from '../../platform/jobs/batches.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';

const DAY_MS = 86_400_000;
/** Stores send no notification if they decide nothing. */
const APPLE_DECIDES_MS = 30 * DAY_MS;
const GOOGLE_DECIDES_MS = 180 * DAY_MS;
const DETAILS_KEPT_MS = 90 * DAY_MS;
/** 25 months. */
const KEPT_MS = 761 * DAY_MS;

export interface ClaimedRequest extends RefundRequest, LeasedItem {
  leaseUntil: Date;
}

type Key = Pick<RefundRequest, 'projectId' | 'id'>;

/** Null fields do not filter. `customer_id` is any app user id of a customer. */
export interface RefundRequestFilter {
  store: string | null;
  app_id: string | null;
  environment: 'production' | 'sandbox' | null;
  answer_status: string | null;
  outcome: string | null;
  policy_id: string | null;
  customer_id: string | null;
  reason: string | null;
}

const filterColumns = [
  'store',
  'app_id',
  'environment',
  'answer_status',
  'outcome',
  'policy_id',
  'reason',
] as const satisfies (keyof RefundRequestFilter)[];

export type PersonsAnswer = Pick<
  RefundRequest,
  | 'preference'
  | 'deliveryStatus'
  | 'consumptionPercentage'
  | 'note'
  | 'answerStatus'
  | 'answerReason'
  | 'dueAt'
  | 'answeredBy'
>;

export type OwnerFields = Pick<
  RefundRequest,
  | 'customerId'
  | 'subscriptionId'
  | 'purchaseId'
  | 'productId'
  | 'storeProductId'
  | 'amountMicros'
  | 'currency'
  | 'usdMicros'
  | 'facts'
  | 'purchaseKey'
  | 'environment'
>;

export type InsertedRequest = Pick<
  RefundRequest,
  | 'projectId'
  | 'id'
  | 'appId'
  | 'store'
  | 'environment'
  | 'storeRequestKey'
  | 'isUnverified'
  | 'sealedRefundToken'
  | 'purchaseKey'
  | 'storeProductId'
  | 'transactionId'
  | 'orderId'
  | 'storeData'
  | 'reason'
  | 'requestedAt'
  | 'receivedAt'
  | 'deadlineAt'
  | 'amountMicros'
  | 'currency'
  | 'usdMicros'
  | 'dueAt'
>;

export type Decided = Pick<RefundDecision, 'preference' | 'decidedBy' | 'policyId' | 'policyName'> & {
  answerStatus: AnswerStatus;
  answerReason: AnswerReason | null;
  dueAt: Date | null;
};

/** The result of one attempt to answer. */
export interface AnswerAttempt {
  answerStatus: AnswerStatus;
  answerReason: AnswerReason | null;
  answeredAt: Date | null;
  bodySent: object | null;
  /** Null for a final status. */
  dueAt: Date | null;
  attempts: number;
  lastError: string | null;
  lastErrorAt: Date | null;
}

export interface RefusedAnswer {
  appId: string;
  at: Date;
  message: string;
}

@Injectable()
export class RefundRequestsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Does nothing if the store's request is already known. */
  async insert(tx: Transaction, request: InsertedRequest): Promise<void> {
    const { projectId, id, appId, store, environment, storeRequestKey, sealedRefundToken } = request;
    const { purchaseKey, storeProductId, transactionId, orderId, storeData, reason } = request;
    const { requestedAt, receivedAt, deadlineAt, amountMicros, currency, usdMicros, dueAt } = request;
    const place = [projectId, id, appId, store, environment, storeRequestKey, sealedRefundToken];
    const purchase = [purchaseKey, storeProductId, transactionId, orderId, JSON.stringify(storeData), reason];
    const times = [requestedAt, receivedAt, deadlineAt];
    const amount = [amountMicros, currency, usdMicros];
    await tx.query(insert, [...place, ...purchase, ...times, ...amount, dueAt, request.isUnverified]);
  }

  async lockByStoreKey(
    tx: Transaction,
    { projectId, appId, storeRequestKey }: Pick<RefundRequest, 'projectId' | 'appId' | 'storeRequestKey'>,
  ): Promise<RefundRequest | null> {
    const rows = await tx.query<RefundRequest>(lockByStoreKey, [projectId, appId, storeRequestKey]);
    return rows[0] ?? null;
  }

  async lock(tx: Transaction, { projectId, id }: Key): Promise<RefundRequest | null> {
    return (await tx.query<RefundRequest>(lock, [projectId, id]))[0] ?? null;
  }

  /** Up to `limit + 1`, newest first. */
  page(
    projectId: string,
    filter: RefundRequestFilter,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<ShownRefundRequest[]> {
    const narrowing = new Narrowing('refund_requests.page', [projectId, limit + 1]);
    const ofColumn = (column: keyof RefundRequestFilter): string =>
      narrowing.when(column, filter[column], (value) => `r.${column} = ${value}`);
    const conditions = [
      ...filterColumns.map(ofColumn),
      narrowing.when('customer_id', filter.customer_id, (value) => `r.customer_id = ${customerIdOf(value)}`),
      narrowing.behind(['r.requested_at', 'r.id'], after),
    ];
    const text = `SELECT ${shownColumns} FROM refund_requests r ${ownerOf('r')}
      WHERE r.project_id = $1${conditions.join('')} ORDER BY r.requested_at DESC, r.id DESC LIMIT $2`;
    return this.database.forReading.query(narrowing.statement(text), narrowing.values);
  }

  /** Returns false while the answer is being sent, or if it was sent. */
  async answerByPerson(tx: Transaction, { projectId, id }: Key, answer: PersonsAnswer): Promise<boolean> {
    const { preference, deliveryStatus, consumptionPercentage, note, answerStatus, answerReason } = answer;
    const { dueAt, answeredBy } = answer;
    const decision = [preference, deliveryStatus, consumptionPercentage, note, answerStatus, answerReason];
    const rows = await tx.query(answerByPerson, [projectId, id, ...decision, dueAt, answeredBy]);
    return rows.length > 0;
  }

  /** Returns false while the answer is being sent, or if it was sent. */
  async setEvidence(tx: Transaction, { projectId, id }: Key, events: UsageEvent[]): Promise<boolean> {
    return (await tx.query(setEvidence, [projectId, id, JSON.stringify(events)])).length > 0;
  }

  async find(projectId: string, id: string): Promise<ShownRefundRequest | null> {
    return (await this.database.query<ShownRefundRequest>(find, [projectId, id]))[0] ?? null;
  }

  async setOwner(tx: Transaction, { projectId, id }: Key, owner: OwnerFields): Promise<void> {
    const { customerId, subscriptionId, purchaseId, productId, storeProductId } = owner;
    const { amountMicros, currency, usdMicros, facts, purchaseKey, environment } = owner;
    const names = [customerId, subscriptionId, purchaseId, productId, storeProductId];
    const amount = [amountMicros, currency, usdMicros];
    const values = [...names, ...amount, JSON.stringify(facts), purchaseKey, environment];
    await tx.query(setOwner, [projectId, id, ...values]);
  }

  async decide(tx: Transaction, { projectId, id }: Key, decided: Decided): Promise<void> {
    const { preference, decidedBy, policyId, policyName, answerStatus, answerReason, dueAt } = decided;
    const decision = [preference, decidedBy, policyId, policyName, answerStatus, answerReason, dueAt];
    await tx.query(decide, [projectId, id, ...decision]);
  }

  async setDueAt(tx: Transaction, { projectId, id }: Key, dueAt: Date): Promise<void> {
    await tx.query(setDueAt, [projectId, id, dueAt]);
  }

  /** The number of a customer's requests before a time. */
  async countBefore(projectId: string, customerId: string, before: Date): Promise<number> {
    const values = [projectId, customerId, before];
    return (await this.database.query<{ count: number }>(countBefore, values))[0]?.count ?? 0;
  }

  /** The requests about a payment, newest first. */
  ofPayment(
    tx: Transaction,
    { projectId, appId }: Pick<RefundRequest, 'projectId' | 'appId'>,
    { environment, paymentId }: ReportedOutcome,
  ): Promise<RefundRequest[]> {
    return tx.query(ownerOfOutcome, [projectId, appId, environment, paymentId]);
  }

  async openOrders(
    { projectId, appId }: Pick<RefundRequest, 'projectId' | 'appId'>,
    orders: string[],
  ): Promise<string[]> {
    const values = [projectId, appId, orders];
    const rows = await this.database.query<{ orderId: string }>(openOrders, values);
    return rows.map(({ orderId }) => orderId);
  }

  async setOutcome(
    tx: Transaction,
    { projectId, id }: Key,
    outcome: { outcome: RefundOutcome; outcomeAt: Date; outcomeKey: string } & Pick<
      RefundRequest,
      'refundedMicros' | 'refundedUsdMicros'
    >,
  ): Promise<void> {
    const { outcomeAt, outcomeKey, refundedMicros, refundedUsdMicros } = outcome;
    const values = [outcome.outcome, outcomeAt, outcomeKey, refundedMicros, refundedUsdMicros];
    await tx.query(setOutcome, [projectId, id, ...values]);
  }

  async pollPage(now: Date, after: QueuePlace | null): Promise<QueuePage> {
    return pageOf(await this.database.query<PolledApp>(appsDue, pollValues(now, after)));
  }

  claim(projectId: string, terms: LeaseTerms, free: FreeSlots): Promise<ClaimedRequest[]> {
    return this.database.query(claim, claimValues(projectId, terms, free));
  }

  async renew(held: HeldItem<ClaimedRequest>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(queue, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  /** Returns false if another process has claimed the request, or it has ended. */
  async finish(
    executor: Executor,
    { projectId, id }: Key,
    leaseUntil: Date,
    attempt: AnswerAttempt,
  ): Promise<boolean> {
    const { answerStatus, answerReason, answeredAt, bodySent, dueAt } = attempt;
    const { attempts, lastError, lastErrorAt } = attempt;
    const body = bodySent === null ? null : JSON.stringify(bodySent);
    const answer = [answerStatus, answerReason, answeredAt, body, dueAt];
    const errors = [attempts, lastError, lastErrorAt];
    return (await executor.query(finish, [projectId, id, leaseUntil, ...answer, ...errors])).length > 0;
  }

  async retry({ projectId, appId }: { projectId: string; appId: string }, now: Date): Promise<void> {
    await this.database.query(retry, [projectId, appId, now]);
  }

  /** Ends requests about which stores never decided. */
  @Cleanup('refund_requests_retention')
  endOpen(now: Date): Promise<number> {
    const before = (ms: number): Date => new Date(now.getTime() - ms);
    const values = [now, before(APPLE_DECIDES_MS), before(GOOGLE_DECIDES_MS)];
    return cleanUp(this.database, endOpen, values);
  }

  @Cleanup('refund_requests_retention', DETAILS_KEPT_MS)
  clearDetails(until: Date): Promise<number> {
    return cleanUp(this.database, clearDetails, [until]);
  }

  @Cleanup('refund_requests_retention', KEPT_MS)
  deleteOld(until: Date): Promise<number> {
    return cleanUp(this.database, deleteOld, [until]);
  }

  refusals(projectId: string, since: Date): Promise<RefusedAnswer[]> {
    return this.database.query(refusals, [projectId, since]);
  }
}
