import type { Place } from '../../platform/http/lists/list-place.js';
import type { RulePlacementsDto, ScheduleDto, TargetingRuleDto } from './targeting-rule.dto.js';
import type { TargetingRule } from './targeting-rule.entity.js';
import type { PlacedRule } from './targeting-rule.policy.js';

export function presentSchedule({ startsAt, endsAt }: TargetingRule): ScheduleDto | null {
  if (startsAt === null) return null;
  return { start_date: startsAt.toISOString(), end_date: endsAt?.toISOString() ?? null };
}

export function presentPlacements({ placements }: TargetingRule): RulePlacementsDto | null {
  return (
    placements && {
      fallback_offering_id: placements.fallbackOfferingId,
      placement_offerings: placements.offerings.map(({ placementIdentifier, offeringId }) => ({
        placement_identifier: placementIdentifier,
        offering_id: offeringId,
      })),
    }
  );
}

export function presentTargetingRule({ rule, state, place }: PlacedRule): TargetingRuleDto {
  return {
    object: 'targeting_rule',
    id: rule.id,
    project_id: rule.projectId,
    rule_type: 'legacy',
    state,
    display_name: rule.displayName,
    offering_id: rule.offeringId,
    conditions: rule.conditions,
    audience_id: null,
    placements: presentPlacements(rule),
    schedule: presentSchedule(rule),
    position: place,
    revision: rule.revision,
    created_at: rule.createdAt.getTime(),
    updated_at: rule.updatedAt.getTime(),
  };
}

export function placeOfRule({ rank, place, rule }: PlacedRule): Place {
  return [rank, place, rule.id];
}
