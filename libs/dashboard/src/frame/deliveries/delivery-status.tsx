import { Badge } from '../../ui/badge.js';
import type { Tone } from '../../ui/tone.js';
import { type DeliveryStatus, statusLabels } from './delivery.js';

const tones: Record<DeliveryStatus, Tone> = {
  pending: 'warn',
  waiting: 'accent',
  delivered: 'good',
  failed: 'bad',
  skipped: 'neutral',
};

export function DeliveryStatusBadge({ status }: { status: DeliveryStatus }) {
  return (
    <Badge tone={tones[status]} icon={status === 'pending' || status === 'waiting' ? 'clock' : undefined}>
      {statusLabels[status]}
    </Badge>
  );
}
