import { Badge } from '../ui/badge.js';
import type { Health } from './webhook-health.js';
import { text } from './webhooks.text.js';

/** The state of an integration in a word. */
export function StateBadge({ state, tone }: Pick<Health, 'state' | 'tone'>) {
  return (
    <Badge tone={tone} icon={state === 'paused' ? 'pause' : undefined}>
      {text.states[state]}
    </Badge>
  );
}
