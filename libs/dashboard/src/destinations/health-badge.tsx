import { Badge } from '../ui/badge.js';
import { useFormat, useNow } from '../ui/format/format-context.js';
import { formatDate } from '../ui/format/format-time.js';
import { healthOf, healthTones } from './destination-health.js';
import type { Destination, DestinationState } from './destinations.queries.js';

const labels = {
  delivering: 'Delivering',
  key: 'Waiting for a key',
  failing: 'Failing',
  open: 'Circuit open',
  paused: 'Paused',
  slowed: 'Slowed down',
};

interface HealthBadgeProps {
  destination: Pick<Destination, 'send_from'>;
  state: DestinationState | undefined;
}

/** The state of a destination in a few words. */
export function HealthBadge({ destination, state }: HealthBadgeProps) {
  const format = useFormat();
  const now = useNow();
  if (!state) return null;
  const health = healthOf(state, destination, now);
  return (
    <Badge tone={healthTones[health]} icon={health === 'paused' ? 'pause' : undefined}>
      {health === 'starts' ? `Starts on ${formatDate(format, destination.send_from)}` : labels[health]}
    </Badge>
  );
}
