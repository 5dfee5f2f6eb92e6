import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import type { IntegrationKey } from '../../deliveries/log/delivery-log.repository.js';
import type { ReplayProgress } from '../../deliveries/replays/replays.repository.js';
import { ReplaysService } from '../../deliveries/replays/replays.service.js';
import { DestinationsService } from '../integrations/destinations.service.js';
import type { ReplayDestinationDto } from './destination-replay.dto.js';

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

@Injectable()
export class DestinationReplaysService {
  constructor(
    private readonly replays: ReplaysService,
    private readonly destinations: DestinationsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Queues events of a time range for a destination. Without `resend_delivered`, no event is sent that was delivered.
   * @throws ApiError 404; 400 for an empty range, and for delivered events without the status all; 422 while the
   * destination is paused, for more than 10,000 events, and if it is unknown what was delivered
   */
  async request(
    write: ProjectWrite,
    integrationId: string,
    body: ReplayDestinationDto,
  ): Promise<ReplayProgress> {
    const { from, to, resend_delivered: resendsDelivered = false, event_types: types } = body;
    const { status: deliveries = resendsDelivered ? 'all' : 'failed' } = body;
    if (to <= from) throw ApiError.parameter('to', 'to must be later than from.');
    if (resendsDelivered && deliveries === 'failed')
      throw ApiError.parameter('resend_delivered', 'Delivered events are sent again with the status all.');
    const key = { projectId: write.projectId, integrationId };
    return this.writes.run(write, async (tx) => {
      const destination = await this.destinations.lockEnabled(tx, key.projectId, integrationId);
      if (deliveries === 'all' && !resendsDelivered)
        this.assertKept(destination, new Date(from), new Date(tx.nowMs()));
      const range = {
        eventsFrom: new Date(from),
        eventsTo: new Date(to),
        eventTypes: (types ?? []).map((type) => type.toUpperCase()),
        deliveries,
      };
      const progress = await this.replays.requestUnsent(tx, key, range, resendsDelivered);
      const data = { from, to, deliveries, resend_delivered: resendsDelivered, queued: progress.queued };
      await tx.audit({ action: 'replayed', target: 'destination', targetId: integrationId, data });
      return progress;
    });
  }

  /** @throws ApiError 404 */
  async get(key: IntegrationKey, id: string): Promise<ReplayProgress> {
    await this.destinations.get(key.projectId, key.integrationId);
    const replay = await this.replays.find(key, id);
    if (!replay) throw ApiError.missing('replay', id);
    return replay;
  }

  /** Up to `limit + 1`, newest first. @throws ApiError 404 for the destination, 400 for a cursor of another list */
  async page(key: IntegrationKey, page: PageRequest): Promise<ReplayProgress[]> {
    await this.destinations.get(key.projectId, key.integrationId);
    return this.replays.page(key, page);
  }

  /** Without the deliveries, an event that was delivered looks like one that was not. @throws ApiError 422 */
  private assertKept({ createdAt }: DestinationIntegration, from: Date, now: Date): void {
    const oldest = this.replays.oldestKept(now);
    if (from >= oldest || createdAt >= oldest) return;
    const message = `Deliveries before ${dayFormat.format(oldest)} are no longer kept, so it is unknown what was sent.`;
    throw new ApiError('impossible', message, { param: 'from' });
  }
}
