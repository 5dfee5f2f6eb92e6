import type { WebhookReplayDto } from './webhook-replay.dto.js';
import type { ReplayProgress } from '../../deliveries/replays/replays.repository.js';

export function presentReplay(replay: ReplayProgress): WebhookReplayDto {
  const { pending, requestedAt } = replay;
  const isRunning = pending > 0;
  // Without an attempt, there was nothing to send or its records have been deleted.
  const completedAt = replay.lastAttemptEndedAt ?? requestedAt;
  return {
    object: 'webhook_replay',
    id: replay.id,
    webhook_integration_id: replay.webhookIntegrationId,
    status: isRunning ? 'running' : 'complete',
    deliveries: replay.deliveries,
    event_types: replay.eventTypes.map((type) => type.toLowerCase()),
    queued: replay.queued,
    pending,
    delivered: replay.delivered,
    failed: replay.failed,
    from: replay.eventsFrom.getTime(),
    to: replay.eventsTo.getTime(),
    requested_at: requestedAt.getTime(),
    completed_at: isRunning ? null : completedAt.getTime(),
  };
}
