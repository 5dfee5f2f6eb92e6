import { Inject, Injectable } from '@nestjs/common';
import { definitionOf, isDestinationType } from '../../../../libs/destinations/index.js';
import { type Clock, newId } from '../../../../libs/kernel/index.js';
import type { WriteTransaction } from '../../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { type Place, startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { monthOf, startOf as startOfMonth } from '../../../platform/partitions/months.js';
import { EndpointQueuesService } from '../circuits/endpoint-queues.service.js';
import type { IntegrationKey } from '../log/delivery-log.repository.js';
import { IntegrationsRepository } from '../integrations/integrations.repository.js';
import {
  type ChosenForReplay,
  type ReplayProgress,
  type ReplayRequest,
  ReplaysRepository,
} from './replays.repository.js';

const MAX_REPLAY = 10_000;
/** Limit of the events that a replay looks at to find those that have not been delivered. */
const MAX_CANDIDATES = 100_000;
const DAY_MS = 86_400_000;

function tooManyEvents(): ApiError {
  return new ApiError('impossible', 'The range holds more than 10,000 events; replay shorter ranges.');
}

/** The progress of a replay that has just been requested. */
function startedWith(queued: number, alreadyDelivered: number) {
  const others = { delivered: 0, failed: 0, waiting: 0, skipped: 0, lastAttemptEndedAt: null };
  return { queued, alreadyDelivered, pending: queued, ...others };
}

export function placeOfReplay({ requestedAt, id }: Pick<ReplayProgress, 'requestedAt' | 'id'>): Place {
  return [requestedAt, id];
}

@Injectable()
export class ReplaysService {
  constructor(
    private readonly repository: ReplaysRepository,
    private readonly queues: EndpointQueuesService,
    private readonly integrations: IntegrationsRepository,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Queues events of a time range. They are sent oldest first at a limited rate, marked as replays.
   * @throws ApiError 422 for more than 10,000 events
   */
  async request(
    tx: WriteTransaction,
    key: IntegrationKey,
    range: Omit<ReplayRequest, 'id' | 'requestedAt'>,
  ): Promise<ReplayProgress> {
    const nowMs = tx.nowMs();
    const replay = { ...range, id: newId('webhookReplay', nowMs), requestedAt: new Date(nowMs) };
    const chosen = await this.repository.all(tx, key, replay, MAX_REPLAY + 1);
    if (chosen.length > MAX_REPLAY) throw tooManyEvents();
    return this.queue(tx, key, replay, { chosen, alreadyDelivered: 0 });
  }

  /**
   * Queues events of a time range that have not been delivered and have no open delivery. `resendsDelivered`: also those
   * that have been delivered. They are sent oldest first at a limited rate, marked as replays.
   * @throws ApiError 422 for more than 10,000 events
   */
  async requestUnsent(
    tx: WriteTransaction,
    key: IntegrationKey,
    range: Omit<ReplayRequest, 'id' | 'requestedAt'>,
    resendsDelivered: boolean,
  ): Promise<ReplayProgress> {
    const nowMs = tx.nowMs();
    const replay = { ...range, id: newId('webhookReplay', nowMs), requestedAt: new Date(nowMs) };
    const candidates = await this.repository.candidates(tx, key, replay, MAX_CANDIDATES + 1);
    const chosen = candidates.filter(
      ({ isOpen, isDelivered }) => !isOpen && (resendsDelivered || !isDelivered),
    );
    if (chosen.length > MAX_REPLAY || candidates.length > MAX_CANDIDATES) throw tooManyEvents();
    const alreadyDelivered = resendsDelivered
      ? 0
      : candidates.filter(({ isDelivered }) => isDelivered).length;
    return this.queue(tx, key, replay, { chosen, alreadyDelivered });
  }

  private async queue(
    tx: WriteTransaction,
    key: IntegrationKey,
    replay: ReplayRequest,
    selection: Omit<ChosenForReplay, 'perSecond'>,
  ): Promise<ReplayProgress> {
    const perSecond = await this.rateOf(tx, key);
    const queued = await this.repository.insert(tx, key, replay, { ...selection, perSecond });
    await this.queues.sendNow(tx, key.projectId, key.integrationId, replay.requestedAt);
    const counts = startedWith(queued, selection.alreadyDelivered);
    return { ...replay, webhookIntegrationId: key.integrationId, ...counts };
  }

  /** Deliveries of events recorded earlier are no longer stored: they are deleted by the month. */
  oldestKept(now: Date): Date {
    return startOfMonth(monthOf(now.getTime() - this.config.webhookLogDays * DAY_MS));
  }

  find(key: IntegrationKey, id: string): Promise<ReplayProgress | null> {
    return this.repository.find(key, id, new Date(this.clock.nowMs()));
  }

  /** Up to `limit + 1`, newest first. @throws ApiError 400 for a cursor of another list */
  async page(key: IntegrationKey, page: PageRequest): Promise<ReplayProgress[]> {
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.find(key, id);
      return found && placeOfReplay(found);
    });
    return this.repository.page(key, page, { after, now: new Date(this.clock.nowMs()) });
  }

  /** Events a second. Chats get no more than they can post, so that new events are not held up behind the replay. */
  private async rateOf(tx: WriteTransaction, { projectId, integrationId }: IntegrationKey): Promise<number> {
    const integration = await this.integrations.find(projectId, integrationId, tx);
    const type = integration?.type ?? 'webhook';
    const paceMs = isDestinationType(type) ? definitionOf(type).paceMs : null;
    const rate = this.config.webhookReplayRate;
    return paceMs === null ? rate : Math.min(rate, 1000 / paceMs);
  }
}
