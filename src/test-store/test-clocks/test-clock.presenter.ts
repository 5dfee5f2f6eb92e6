import type { TestClockDto } from './test-clock.dto.js';
import type { TestClock } from './test-clocks.repository.js';

function errorOf({ stoppedAt }: TestClock): string {
  const who = stoppedAt
    ? `Customer ${JSON.stringify(stoppedAt.appUserId)} could not be advanced beyond ${new Date(stoppedAt.atMs).toISOString()}.`
    : 'A customer could not be advanced.';
  return `${who} Advance the clock again to retry, or delete it. The log of the server has the cause.`;
}

export function presentTestClock(clock: TestClock): TestClockDto {
  const { id, name, frozenAtMs, targetAtMs, progress, failed, plan, customerIds, periodEndsAtMs, createdAt } =
    clock;
  return {
    object: 'test_clock',
    id,
    name,
    frozen_time: frozenAtMs,
    status: failed ? 'failed' : targetAtMs === null ? 'ready' : 'advancing',
    target_time: targetAtMs,
    progress: progress === null ? null : Math.floor(progress * 10_000) / 10_000,
    error: failed ? errorOf(clock) : null,
    plan,
    customer_ids: customerIds,
    period_ends_at: periodEndsAtMs,
    created_at: createdAt.getTime(),
  };
}
