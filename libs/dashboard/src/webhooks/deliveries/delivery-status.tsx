import { Badge } from '../../ui/badge.js';
import type { Tone } from '../../ui/tone.js';
import type { Delivery } from '../webhooks.queries.js';
import { statusLabels } from '../labels.js';

const tones: Record<Delivery['status'], Tone> = { pending: 'warn', delivered: 'good', failed: 'bad' };

export function DeliveryStatusBadge({ status }: Pick<Delivery, 'status'>) {
  return (
    <Badge tone={tones[status]} icon={status === 'pending' ? 'clock' : undefined}>
      {statusLabels[status]}
    </Badge>
  );
}
