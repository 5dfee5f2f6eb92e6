import {
  type ConditionDraft,
  conditionOf,
  draftOf,
  type TargetingField,
} from '../frame/conditions/conditions.js';
import type { RuleBody, RuleState, TargetingRule } from './targeting.queries.js';

/** Values of the rule form. */
export interface RuleValues {
  display_name: string;
  offering_id: string;
  state: RuleState;
  /** Times in milliseconds. */
  schedule: { start_date: number | null; end_date: number | null };
  conditions: ConditionDraft<TargetingField>[];
  /** An empty id means no offering. */
  placements: {
    fallback_offering_id: string;
    placement_offerings: { placement_identifier: string; offering_id: string }[];
  };
}

export const emptyRule: RuleValues = {
  display_name: '',
  offering_id: '',
  state: 'active',
  schedule: { start_date: null, end_date: null },
  conditions: [],
  placements: { fallback_offering_id: '', placement_offerings: [] },
};

export function ruleValuesOf(rule: TargetingRule): RuleValues {
  const { schedule, placements } = rule;
  const isScheduled = schedule !== null && rule.state !== 'inactive';
  return {
    display_name: rule.display_name,
    offering_id: rule.offering_id,
    // A schedule that has started is displayed as live, but remains a schedule.
    state: isScheduled ? 'scheduled' : rule.state,
    schedule: {
      start_date: schedule ? Date.parse(schedule.start_date) : null,
      end_date: schedule?.end_date ? Date.parse(schedule.end_date) : null,
    },
    conditions: rule.conditions.map((condition) => draftOf(condition)),
    placements: {
      fallback_offering_id: placements?.fallback_offering_id ?? '',
      placement_offerings: (placements?.placement_offerings ?? []).map((placement) => ({
        placement_identifier: placement.placement_identifier,
        offering_id: placement.offering_id ?? '',
      })),
    },
  };
}

/** Validates before anything is sent. */
export function ruleProblems({ display_name: name, offering_id: offeringId, state, schedule }: RuleValues) {
  const isStartMissing = state === 'scheduled' && schedule.start_date === null;
  return {
    display_name: name.trim() === '' ? 'Give the rule a name.' : null,
    offering_id: offeringId === '' ? 'Choose an offering.' : null,
    'schedule.start_date': isStartMissing ? 'A scheduled rule needs a start.' : null,
  };
}

export function ruleBodyOf(values: RuleValues): RuleBody {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const { start_date: startMs, end_date: endMs } = values.schedule;
  const { fallback_offering_id: fallbackId, placement_offerings: placements } = values.placements;
  return {
    display_name: values.display_name.trim(),
    offering_id: values.offering_id,
    state: values.state,
    conditions: values.conditions.map((draft) => conditionOf(draft)),
    schedule:
      values.state === 'scheduled' && startMs !== null
        ? { start_date: iso(startMs), end_date: endMs === null ? null : iso(endMs) }
        : null,
    placements:
      placements.length === 0
        ? null
        : {
            fallback_offering_id: fallbackId || null,
            placement_offerings: placements.map((placement) => ({
              placement_identifier: placement.placement_identifier,
              offering_id: placement.offering_id || null,
            })),
          },
  };
}
