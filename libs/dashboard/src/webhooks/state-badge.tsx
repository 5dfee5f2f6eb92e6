import { Badge } from '../ui/badge.js';
import type { Health } from './webhook-health.js';

const states: Record<Health['state'], string> = {
  delivering: 'Delivering',
  failing: 'Failing',
  open: 'Circuit open',
  paused: 'Paused',
};

/** The state of an integration in a word. */
export function StateBadge({ state, tone }: Pick<Health, 'state' | 'tone'>) {
  return (
    <Badge tone={tone} icon={state === 'paused' ? 'pause' : undefined}>
      {states[state]}
    </Badge>
  );
}
