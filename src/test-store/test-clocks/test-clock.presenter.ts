import type { TestClockDto } from './test-clock.dto.js';
import type { TestClock } from './test-clocks.repository.js';

export function presentTestClock(clock: TestClock): TestClockDto {
  const { id, name, frozenAtMs, targetAtMs, failed, plan, customerIds, createdAt } = clock;
  return {
    object: 'test_clock',
    id,
    name,
    frozen_time: frozenAtMs,
    status: failed ? 'failed' : targetAtMs === null ? 'ready' : 'advancing',
    target_time: targetAtMs,
    plan,
    customer_ids: customerIds,
    created_at: createdAt.getTime(),
  };
}
