import { type ConditionDraft, conditionOf, draftOf } from './conditions.js';
import type { RuleBody, RuleState, TargetingRule } from './targeting.queries.js';

export interface PlacementDraft {
  identifier: string;
  /** Empty means no offering. */
  offeringId: string;
}

/** Values of the rule form. */
export interface RuleDraft {
  name: string;
  offeringId: string;
  state: RuleState;
  startMs: number | null;
  endMs: number | null;
  conditions: ConditionDraft[];
  placements: PlacementDraft[];
  /** For other placements; empty means no offering. */
  fallbackId: string;
}

export const emptyRule: RuleDraft = {
  name: '',
  offeringId: '',
  state: 'active',
  startMs: null,
  endMs: null,
  conditions: [],
  placements: [],
  fallbackId: '',
};

export function ruleDraftOf(rule: TargetingRule): RuleDraft {
  const { schedule, placements } = rule;
  const isScheduled = schedule !== null && rule.state !== 'inactive';
  return {
    name: rule.display_name,
    offeringId: rule.offering_id,
    // A schedule that has started is displayed as live, but remains a schedule.
    state: isScheduled ? 'scheduled' : rule.state,
    startMs: schedule ? Date.parse(schedule.start_date) : null,
    endMs: schedule?.end_date ? Date.parse(schedule.end_date) : null,
    conditions: rule.conditions.map(draftOf),
    placements: (placements?.placement_offerings ?? []).map((placement) => ({
      identifier: placement.placement_identifier,
      offeringId: placement.offering_id ?? '',
    })),
    fallbackId: placements?.fallback_offering_id ?? '',
  };
}

export function ruleBodyOf(draft: RuleDraft): RuleBody {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const { startMs, endMs, placements } = draft;
  return {
    display_name: draft.name.trim(),
    offering_id: draft.offeringId,
    state: draft.state,
    conditions: draft.conditions.map(conditionOf),
    schedule:
      draft.state === 'scheduled' && startMs !== null
        ? { start_date: iso(startMs), end_date: endMs === null ? null : iso(endMs) }
        : null,
    placements:
      placements.length === 0
        ? null
        : {
            fallback_offering_id: draft.fallbackId || null,
            placement_offerings: placements.map(({ identifier, offeringId }) => ({
              placement_identifier: identifier,
              offering_id: offeringId || null,
            })),
          },
  };
}
