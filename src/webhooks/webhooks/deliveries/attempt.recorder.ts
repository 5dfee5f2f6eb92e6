import { Injectable } from '@nestjs/common';
import { Batcher } from '../../../platform/database/batcher.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { type AttemptOutcome } from './attempt-outcome.js';
import {
  type AttemptResult,
  type ClaimedDelivery,
  DeliveriesRepository,
  type FinishedAttempt,
} from './deliveries.repository.js';
import { EndpointHealthRecorder } from '../circuits/endpoint-health.recorder.js';
import { nextAttempt } from './retry-schedule.js';

const MAX_ERROR_LENGTH = 500;
/** Maximum number of successes recorded by one statement. */
const MAX_TOGETHER = 50;

/** The effect of an attempt on its delivery. `attemptedAt`: when the attempt started. */
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

@Injectable()
export class AttemptRecorder {
  private readonly successes: Batcher<FinishedAttempt, { isOpen: boolean } | null>;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointHealthRecorder,
    private readonly database: DatabaseService,
  ) {
    this.successes = new Batcher((attempts) => this.deliveries.finish(this.database, attempts), {
      maxRunning: 1,
      maxItems: MAX_TOGETHER,
    });
  }

  /** Records an attempt if the lease is still held. */
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
      if (recorded && reachedOut) await this.endpoints.failed(tx, delivery, result.responseStatus);
    });
  }

  /** Records the success in one statement, shared with concurrent attempts, and closes an open circuit. */
  private async succeeded(attempt: FinishedAttempt): Promise<void> {
    const recorded = await this.successes
      .submit(attempt)
      // Another attempt's row may have caused the failure. Rows that were written despite it are not written again.
      .catch(async () => (await this.deliveries.finish(this.database, [attempt]))[0]);
    if (!recorded?.isOpen) return;
    await this.database.transaction((tx) => this.endpoints.worked(tx, attempt.delivery));
  }
}
