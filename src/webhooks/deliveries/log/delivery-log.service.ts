import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { placeByCreation, startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import {
  type DeliveryContent,
  type DeliveryFilter,
  DeliveryLogRepository,
  type EventDelivery,
  type IntegrationKey,
  type LoggedAttempt,
  type LoggedDelivery,
  type RecentEvent,
  type TestDelivery,
} from './delivery-log.repository.js';

const SHOWN_ATTEMPTS = 10;

export interface DeliveryWithAttempts {
  delivery: LoggedDelivery;
  content: DeliveryContent;
  /** Newest first. */
  attempts: LoggedAttempt[];
}

@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly repository: DeliveryLogRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Up to `limit + 1`, newest first. @throws ApiError 400 for a cursor of another list */
  async page(key: IntegrationKey, filter: DeliveryFilter, page: PageRequest): Promise<LoggedDelivery[]> {
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.repository.find(key, id);
      return found && placeByCreation(found);
    });
    return this.repository.page(key, filter, page, { after, now: new Date(this.clock.nowMs()) });
  }

  /** Up to `limit + 1`, newest first. @throws ApiError 400 for a cursor of another list */
  async ofEvent(projectId: string, eventId: string, page: PageRequest): Promise<EventDelivery[]> {
    const after = await startOf(page.after, ['time'], (id) =>
      this.repository.placeInEvent(projectId, eventId, id),
    );
    return this.repository.ofEvent(projectId, eventId, page, after);
  }

  async find(key: IntegrationKey, id: string): Promise<DeliveryWithAttempts | null> {
    const [delivery, content, attempts] = await Promise.all([
      this.repository.find(key, id),
      this.repository.content(key, id),
      this.repository.attempts(key.projectId, id, SHOWN_ATTEMPTS),
    ]);
    return delivery && content ? { delivery, content, attempts } : null;
  }

  /** Up to `limit + 1` events recorded since a time, oldest first. @throws ApiError 400 for a cursor of another list */
  async recentEvents(projectId: string, since: Date, page: PageRequest): Promise<RecentEvent[]> {
    const after = await startOf(page.after, ['time'], (id) =>
      this.repository.placeOfRecent(projectId, since, id),
    );
    return this.repository.recentEvents(projectId, since, page, after);
  }

  /**
   * Makes a delivery due, whatever its status. Returns null if it does not exist.
   * @throws ApiError 423 while it is being sent; 409 if it is about to be sent anyway
   */
  async sendAgain(
    tx: Transaction,
    key: IntegrationKey,
    id: string,
    now: Date,
  ): Promise<LoggedDelivery | null> {
    const delivery = await this.repository.lock(tx, key, id);
    if (!delivery) return null;
    assertRetryable(delivery, now);
    return this.repository.sendAgain(tx, key, delivery, now);
  }

  /** Whether another delivery brought the event to the integration. */
  isDeliveredElsewhere(tx: Transaction, key: IntegrationKey, id: string): Promise<boolean> {
    return this.repository.isDeliveredElsewhere(tx, key, id);
  }

  insertTest(tx: Transaction, key: IntegrationKey, test: TestDelivery, now: Date): Promise<LoggedDelivery> {
    return this.repository.insertTest(tx, key, test, now);
  }
}

function assertRetryable({ status, leaseUntil, isHeld, nextAttemptAt }: LoggedDelivery, now: Date): void {
  if (status !== 'pending') return;
  if (isHeld) {
    throw new ApiError('locked', 'The delivery is being sent right now.', { retryAfterS: 1 });
  }
  if (leaseUntil !== null || (nextAttemptAt !== null && nextAttemptAt <= now)) {
    throw new ApiError('conflict', 'The delivery is due and will be sent anyway.');
  }
}
