import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { systemChange } from '../../platform/audit/project-write.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { Batcher } from '../../platform/database/batcher.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { type AttemptOutcome } from './attempt-outcome.js';
import { afterFailure } from './circuit.js';
import { CircuitsRepository } from './circuits.repository.js';
import {
  type AttemptResult,
  type ClaimedDelivery,
  DeliveriesRepository,
  type FinishedAttempt,
} from './deliveries.repository.js';
import { nextAttempt } from './retry-schedule.js';
import { WebhookIntegrationsRepository } from './webhook-integrations.repository.js';

/** The endpoint is gone for good, and says so. */
const GONE = 410;
const MAX_ERROR_LENGTH = 500;
/** Successes recorded by one statement. */
const MAX_TOGETHER = 50;

/** What an attempt makes of its delivery. `attemptedAt`: when it began. */
export function resultOf(
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  outcome: AttemptOutcome,
  attemptedAt: Date,
  nowMs: number,
): AttemptResult {
  const { error, responseStatus, responseMs, responseBody, responseHeaders, retryAfterMs } = outcome;
  const made = attempts + 1;
  const nextAttemptAt =
    error === null ? null : nextAttempt({ deliveryId: id, attempts: made, retryAfterMs }, nowMs);
  return {
    status: error === null ? 'delivered' : nextAttemptAt === null ? 'failed' : 'pending',
    attempts: made,
    nextAttemptAt,
    responseStatus,
    responseMs,
    lastError: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
    attemptedAt,
    responseBody,
    responseHeaders,
  };
}

/** Writes attempts down, with what they mean for the endpoint: its circuit, and the pause that a 410 asks for. */
@Injectable()
export class AttemptRecorder {
  private readonly successes: Batcher<FinishedAttempt, { isOpen: boolean } | null>;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly circuits: CircuitsRepository,
    private readonly integrations: WebhookIntegrationsRepository,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.successes = new Batcher((attempts) => this.deliveries.finish(this.database, attempts), {
      maxRunning: 1,
      maxItems: MAX_TOGETHER,
    });
  }

  /** Records an attempt under the lease; does nothing when the lease was lost. */
  async record(
    delivery: ClaimedDelivery,
    leaseUntil: Date,
    result: AttemptResult,
    reachedOut: boolean,
  ): Promise<void> {
    const attempt = { delivery, leaseUntil, result };
    if (result.status === 'delivered') return this.succeeded(attempt);
    await this.database.transaction(async (tx) => {
      const [recorded] = await this.deliveries.finish(tx, [attempt]);
      if (!recorded || !reachedOut) return;
      // In the order in which an update of the integration takes its locks.
      if (result.responseStatus === GONE) await this.pause(tx, delivery);
      await this.countFailure(tx, delivery);
    });
  }

  /** One statement, shared with others of the moment, unless there is a circuit to close. */
  private async succeeded(attempt: FinishedAttempt): Promise<void> {
    const recorded = await this.successes
      .submit(attempt)
      // Somebody else's row may have spoilt it; what was written all the same is not written again.
      .catch(async () => (await this.deliveries.finish(this.database, [attempt]))[0]);
    if (!recorded?.isOpen) return;
    const { delivery } = attempt;
    const { projectId, webhookIntegrationId } = delivery;
    await this.database.transaction(async (tx) => {
      const wasOpen = await this.circuits.close(tx, projectId, webhookIntegrationId);
      if (wasOpen) await this.auditChange(tx, delivery, 'circuit_closed', {});
    });
  }

  private async pause(tx: Transaction, delivery: ClaimedDelivery): Promise<void> {
    const { projectId, webhookIntegrationId } = delivery;
    const paused = await this.integrations.pause(tx, projectId, webhookIntegrationId);
    if (paused)
      await this.auditChange(tx, delivery, 'paused', { response_status: GONE, delivery_id: delivery.id });
  }

  private async countFailure(tx: Transaction, delivery: ClaimedDelivery): Promise<void> {
    const { projectId, webhookIntegrationId, isProbe } = delivery;
    const circuit = await this.circuits.lock(tx, projectId, webhookIntegrationId);
    const next = afterFailure(circuit, isProbe, this.config.webhookCircuitFailures, this.clock.nowMs());
    await this.circuits.save(tx, projectId, webhookIntegrationId, next);
    if (circuit.openedAt === null && next.openedAt !== null) {
      await this.auditChange(tx, delivery, 'circuit_opened', { failures: next.failures });
    }
  }

  private auditChange(
    tx: Transaction,
    { projectId, webhookIntegrationId }: ClaimedDelivery,
    action: string,
    data: Record<string, unknown>,
  ): Promise<void> {
    const write = { ...systemChange, projectId };
    return this.audit.record(tx, write, {
      action,
      target: 'webhook_integration',
      targetId: webhookIntegrationId,
      data,
    });
  }
}
