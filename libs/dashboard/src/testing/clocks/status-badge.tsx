import { Badge } from '../../ui/badge.js';
import type { TestClock } from './test-clocks.queries.js';

const statusLabels = {
  ready: 'Ready',
  advancing: 'Advancing',
  failed: 'Failed',
} satisfies Record<TestClock['status'], string>;

const tones = { ready: 'good', advancing: 'accent', failed: 'bad' } as const;

export function StatusBadge({ status }: Pick<TestClock, 'status'>) {
  return <Badge tone={tones[status]}>{statusLabels[status]}</Badge>;
}
