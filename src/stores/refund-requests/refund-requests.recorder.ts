import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ownerAmong } from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { ExchangeRatesService } from '../../platform/exchange-rates/exchange-rates.service.js';
import { DatabaseClockService } from '../../platform/jobs/database-clock.service.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { UnknownValuesService } from '../../purchases/unknown-values/unknown-values.service.js';
import type { NewRefundRequest } from './new-refund-request.js';
import {
  decideRefund,
  preferenceAttributes,
  type RefundDecision,
  unownedPurchase,
} from './refund-decision.policy.js';
import { type DecisionFacts, placeOf, RefundFactsService } from './refund-facts.service.js';
import { addRequested } from './refund-request-events.js';
import type { AppPlace } from '../../platform/jobs/project-claims.js';
import type { RefundRequest } from './refund-request.entity.js';
import {
  type AnswerAttempt,
  type Decided,
  type InsertedRequest,
  RefundRequestsRepository,
} from './refund-requests.repository.js';
import { refundTokenPlace } from './secret-places.js';

const MINUTE_MS = 60_000;
/** How often, and for how long, a request waits for the owner of its purchase. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;
const OWNER_WITHIN_MS = 10 * MINUTE_MS;
/** An answer that waited for a person is sent this long before the deadline. */
const HELD_UNTIL_MS = 30 * MINUTE_MS;
const MAX_TRIES = 3;

/** Records refund requests of stores and decides each once, when the owner of the purchase is known. */
@Injectable()
export class RefundRequestsRecorder {
  private readonly listeners: ((app: AppPlace) => void)[] = [];

  constructor(
    private readonly repository: RefundRequestsRepository,
    private readonly facts: RefundFactsService,
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly unknownValues: UnknownValuesService,
    private readonly rates: ExchangeRatesService,
    private readonly secrets: SecretsService,
    private readonly database: DatabaseService,
    private readonly clock: DatabaseClockService,
  ) {}

  /** Calls `listener` after the commit of a request that can be answered at once. */
  onWaiting(listener: (app: AppPlace) => void): void {
    this.listeners.push(listener);
  }

  /** Records a request. If it is already known, only completes what was missing. */
  async record(app: App, request: NewRefundRequest): Promise<void> {
    const row = this.rowOf(app, request);
    await this.decided(app, row, async (tx) => {
      await this.repository.insert(tx, row);
      return this.repository.lockByStoreKey(tx, row);
    });
  }

  /** Looks for the owner of an undecided request again. Returns the request afterwards; null if it is gone. */
  lookAgain(app: App, request: RefundRequest): Promise<RefundRequest | null> {
    return this.decided(app, request, (tx) => this.repository.lock(tx, request));
  }

  /**
   * Records an attempt to answer. Google rejects answers with invented tokens, so the first answer that it accepts shows
   * that a request from an unsigned notification is genuine.
   */
  async recordAttempt(request: RefundRequest, leaseUntil: Date, attempt: AnswerAttempt): Promise<void> {
    const isVerified = request.isUnverified && attempt.answerStatus === 'sent';
    const subject = isVerified ? await this.facts.subjectOf(request) : null;
    if (!subject) {
      await this.repository.finish(this.database, request, leaseUntil, attempt);
      return;
    }
    const { catalog } = subject;
    const nowMs = this.clock.nowMs();
    await this.database.transaction(async (tx) => {
      const owner = await this.lockOwner(tx, request);
      const isRecorded = await this.repository.finish(tx, request, leaseUntil, attempt);
      if (!isRecorded || !owner) return;
      await this.recorder.record(tx, { catalog, nowMs }, (change) =>
        addRequested(change, request, owner, catalog, nowMs),
      );
    });
  }

  private async decided(
    app: App,
    unlocated: InsertedRequest,
    lock: (tx: Transaction) => Promise<RefundRequest | null>,
  ): Promise<RefundRequest | null> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const request = await this.facts.withPurchase(unlocated);
      const prepared = await this.facts.forDecision(request);
      const result = await this.database.transaction(async (tx) => {
        const owner = await this.lockOwner(tx, request);
        if (owner?.id !== prepared.subject?.customer.id) return 'stale';
        const locked = await lock(tx);
        if (!locked) return null;
        const { environment, purchaseKey } = request;
        const located = { ...locked, environment, purchaseKey: purchaseKey ?? locked.purchaseKey };
        return this.complete(tx, app, located, prepared, owner);
      });
      if (result !== 'stale') return result;
    }
    throw new ConcurrentChange('the purchase of a refund request kept changing hands');
  }

  private async lockOwner(tx: Transaction, request: InsertedRequest): Promise<CustomerRow | undefined> {
    const place = placeOf(request);
    if (place === null) return undefined;
    const { store, environment, purchaseKey } = place;
    const purchaseKeys = { store, environment, keys: [purchaseKey] };
    const owners = await this.customers.lock(tx, request.projectId, { appUserIds: [], purchaseKeys });
    return ownerAmong(owners, place, { key: purchaseKey });
  }

  /** Sets the owner and the decision where they are missing. */
  private async complete(
    tx: Transaction,
    app: App,
    request: RefundRequest,
    prepared: DecisionFacts,
    owner: CustomerRow | undefined,
  ): Promise<RefundRequest> {
    const { subject, facts } = prepared;
    const nowMs = this.clock.nowMs();
    let completed = request;
    if (request.preference === null) {
      const decision = this.decisionOn(app, request, owner, prepared, nowMs);
      completed = { ...completed, ...(await this.save(tx, request, decision, nowMs)) };
      if (decision.unknownPreference !== null) this.count(app, decision.unknownPreference);
    }
    if (request.customerId !== null || !subject || !owner) return completed;
    const { purchase, money, catalog } = subject;
    const fields = {
      customerId: owner.id,
      subscriptionId: purchase.subscriptionId,
      purchaseId: purchase.purchaseId,
      productId: purchase.product?.id ?? null,
      storeProductId: purchase.storeProductId,
      ...(money.chargedMicros === null
        ? { amountMicros: request.amountMicros, currency: request.currency, usdMicros: request.usdMicros }
        : { amountMicros: money.chargedMicros, currency: money.currency, usdMicros: money.chargedUsdMicros }),
      facts,
      purchaseKey: request.purchaseKey,
      environment: request.environment,
    };
    completed = { ...completed, ...fields };
    await this.repository.setOwner(tx, request, fields);
    if (request.isUnverified) return completed;
    await this.recorder.record(tx, { catalog, nowMs }, (change) =>
      addRequested(change, completed, owner, catalog, nowMs),
    );
    return completed;
  }

  private decisionOn(
    app: App,
    { storeData, receivedAt }: RefundRequest,
    owner: CustomerRow | undefined,
    { matched }: DecisionFacts,
    nowMs: number,
  ): RefundDecision {
    const decision = decideRefund({
      company: app.type === 'play_store' ? 'google' : 'apple',
      settings: app.storeSettings,
      isOfBuyer: storeData?.isOfBuyer ?? false,
      attributes: owner?.attributes ?? null,
      matched,
    });
    const hasWaited = nowMs >= receivedAt.getTime() + OWNER_WITHIN_MS;
    return decision.preference === null && hasWaited ? unownedPurchase : decision;
  }

  private async save(
    tx: Transaction,
    request: RefundRequest,
    decision: RefundDecision,
    nowMs: number,
  ): Promise<Partial<RefundRequest>> {
    if (decision.preference === null) {
      const dueAt = new Date(nowMs + LOOK_EVERY_MS);
      await this.repository.setDueAt(tx, request, dueAt);
      return { dueAt };
    }
    const decided = decidedAt(request, decision, nowMs);
    await this.repository.decide(tx, request, decided);
    if (decided.answerStatus === 'waiting')
      tx.afterCommit(() => this.listeners.forEach((listener) => listener(request)));
    return decided;
  }

  private count(app: App, value: string): void {
    const field = preferenceAttributes[app.type === 'play_store' ? 'google' : 'apple'];
    this.unknownValues.record(app, [{ field, value }]);
  }

  private rowOf({ projectId, id: appId, type }: App, request: NewRefundRequest): InsertedRequest {
    const nowMs = this.clock.nowMs();
    const id = newId('refundRequest', nowMs);
    const { environment, storeRequestKey, isUnverified, pendingRefundToken } = request;
    const { purchaseKey, storeProductId } = request;
    const { transactionId, orderId, reason, requestedAtMs, deadlineAtMs, storeData } = request;
    const { amount } = storeData;
    const day = new Date(requestedAtMs).toISOString().slice(0, 10);
    const usd = amount && this.rates.toUsd({ amountMicros: amount.micros, currency: amount.currency, day });
    return {
      projectId,
      id,
      appId,
      store: type as RefundRequest['store'],
      environment,
      storeRequestKey,
      isUnverified,
      sealedRefundToken:
        pendingRefundToken === null
          ? null
          : this.secrets.seal(pendingRefundToken, refundTokenPlace(projectId, id)),
      purchaseKey,
      storeProductId,
      transactionId,
      orderId,
      storeData,
      reason,
      requestedAt: new Date(requestedAtMs),
      receivedAt: new Date(nowMs),
      deadlineAt: new Date(deadlineAtMs),
      amountMicros: amount?.micros ?? null,
      currency: amount?.currency ?? null,
      usdMicros: usd?.usdMicros ?? null,
      dueAt: new Date(nowMs + LOOK_EVERY_MS),
    };
  }
}

function decidedAt(
  { receivedAt, deadlineAt }: RefundRequest,
  { preference, reason, decidedBy, policyId, policyName, holdMinutes }: RefundDecision,
  nowMs: number,
): Decided {
  const decided = { preference, decidedBy, policyId, policyName, answerReason: reason };
  if (preference === 'do_not_answer') return { ...decided, answerStatus: 'not_wanted', dueAt: null };
  if (nowMs >= deadlineAt.getTime()) return { ...decided, answerStatus: 'expired', dueAt: null };
  const heldUntilMs = Math.min(
    receivedAt.getTime() + holdMinutes * MINUTE_MS,
    deadlineAt.getTime() - HELD_UNTIL_MS,
  );
  const isHeld = heldUntilMs > nowMs;
  return {
    ...decided,
    answerStatus: isHeld ? 'held' : 'waiting',
    dueAt: new Date(isHeld ? heldUntilMs : nowMs),
  };
}
