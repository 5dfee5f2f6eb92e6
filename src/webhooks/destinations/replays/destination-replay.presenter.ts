import type { ReplayProgress } from '../../deliveries/replays/replays.repository.js';
import type { DestinationReplayDto } from './destination-replay.dto.js';

export function presentDestinationReplay(replay: ReplayProgress): DestinationReplayDto {
  const { pending, requestedAt } = replay;
  const isRunning = pending > 0;
  // Without an attempt, there was nothing to send or its records have been deleted.
  const completedAt = replay.lastAttemptEndedAt ?? requestedAt;
  return {
    object: 'destination_replay',
    id: replay.id,
    destination_id: replay.webhookIntegrationId,
    status: isRunning ? 'running' : 'complete',
    deliveries: replay.deliveries,
    event_types: replay.eventTypes.map((type) => type.toLowerCase()),
    queued: replay.queued,
    pending,
    waiting: replay.waiting,
    delivered: replay.delivered,
    failed: replay.failed,
    skipped: replay.skipped,
    already_delivered: replay.alreadyDelivered,
    from: replay.eventsFrom.getTime(),
    to: replay.eventsTo.getTime(),
    requested_at: requestedAt.getTime(),
    completed_at: isRunning ? null : completedAt.getTime(),
  };
}
