import type { RuleState, Schedule } from './model.js';

interface Scheduled {
  state: RuleState;
  schedule: Schedule | null;
}

/** Returns the state by the clock, because a schedule starts and ends without a write. */
export function stateAt({ state, schedule }: Scheduled, nowMs: number): RuleState {
  if (state !== 'scheduled' || schedule === null) return state;
  if (nowMs < schedule.startsAtMs) return 'scheduled';
  return schedule.endsAtMs !== null && nowMs >= schedule.endsAtMs ? 'inactive' : 'active';
}

export function isLive(rule: Scheduled, nowMs: number): boolean {
  return stateAt(rule, nowMs) === 'active';
}
