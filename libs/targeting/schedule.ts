import type { RuleState, Schedule } from './model.js';

interface Scheduled {
  state: RuleState;
  schedule: Schedule | null;
}

/** The state by the clock: a schedule begins and ends without a write. */
export function stateAt({ state, schedule }: Scheduled, nowMs: number): RuleState {
  if (state !== 'scheduled' || schedule === null) return state;
  if (nowMs < schedule.startsAtMs) return 'scheduled';
  return schedule.endsAtMs !== null && nowMs >= schedule.endsAtMs ? 'inactive' : 'active';
}

export function isLive(rule: Scheduled, nowMs: number): boolean {
  return stateAt(rule, nowMs) === 'active';
}
