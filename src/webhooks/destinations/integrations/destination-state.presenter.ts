import type { DestinationStateDto } from './destination-state.dto.js';
import type { DestinationState } from './destination-states.service.js';

export function presentDestinationState({
  integration,
  endpoint,
  counts,
}: DestinationState): DestinationStateDto {
  return {
    object: 'destination_state',
    id: integration.id,
    enabled: integration.enabled,
    circuit: endpoint.isOpen ? 'open' : 'closed',
    credentials: endpoint.isOpen && counts.hasRefusedKey ? 'refused' : 'ok',
    quiet_until: endpoint.quietUntil?.getTime() ?? null,
    delivered_24h: counts.delivered,
    failed_24h: counts.failed,
    skipped_24h: counts.skipped,
    pending: counts.pending,
    waiting: counts.waiting,
  };
}
