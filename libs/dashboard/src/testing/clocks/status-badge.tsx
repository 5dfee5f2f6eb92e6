import { Badge } from '../../ui/badge.js';
import type { TestClock } from './test-clocks.queries.js';
import { text } from './test-clocks.text.js';

const tones = { ready: 'good', advancing: 'accent', failed: 'bad' } as const;

export function StatusBadge({ status }: Pick<TestClock, 'status'>) {
  return <Badge tone={tones[status]}>{text.statuses[status]}</Badge>;
}
