import {
  type RulePlacements,
  type RuleState,
  ruleStates,
  stateAt,
  type TargetingRuleTerms,
} from '../../../libs/targeting/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { assertPlacementIdentifiers } from '../shared/placement-identifiers.js';
import type { NamedOffering } from '../shared/named-offerings.service.js';
import type { RulePlacementsDto, ScheduleDto } from './targeting-rule.dto.js';
import type { TargetingRule } from './targeting-rule.entity.js';

/** A rule's state at a given time, and its position among the rules of that state. */
export interface PlacedRule {
  rule: TargetingRule;
  state: RuleState;
  /** Order of the state: active, scheduled, inactive. */
  rank: number;
  place: number;
}

export function termsOf(rule: TargetingRule): TargetingRuleTerms {
  const { id, state, offeringId, conditions, placements, revision, startsAt, endsAt } = rule;
  const schedule = startsAt && { startsAtMs: startsAt.getTime(), endsAtMs: endsAt?.getTime() ?? null };
  return { id, state, schedule, offeringId, conditions, placements, revision };
}

export function stateOf(rule: TargetingRule, nowMs: number): RuleState {
  return stateAt(termsOf(rule), nowMs);
}

/** All rules of a project in list order. */
export function placedRules(rules: readonly TargetingRule[], nowMs: number): PlacedRule[] {
  const inOrder = [...rules].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  return ruleStates.flatMap((state, rank) =>
    inOrder
      .filter((rule) => stateOf(rule, nowMs) === state)
      .map((rule, index) => ({ rule, state, rank, place: index + 1 })),
  );
}

/** Active and scheduled rules share one order; inactive ones have another. */
export function sharesOrder(a: RuleState, b: RuleState): boolean {
  return (a === 'inactive') === (b === 'inactive');
}

/** @throws ApiError 400 naming the field */
export function readSchedule(
  given: ScheduleDto | null | undefined,
  present: Pick<TargetingRule, 'startsAt' | 'endsAt'>,
  nowMs: number,
): Pick<TargetingRule, 'startsAt' | 'endsAt'> {
  if (given === undefined) return { startsAt: present.startsAt, endsAt: present.endsAt };
  if (given === null) return { startsAt: null, endsAt: null };
  const startsAt = readTime(given.start_date, 'schedule.start_date');
  const endsAt = given.end_date ? readTime(given.end_date, 'schedule.end_date') : null;
  if (endsAt !== null && endsAt <= startsAt)
    throw ApiError.parameter('schedule.end_date', 'schedule.end_date must be after start_date.');
  if (endsAt !== null && endsAt.getTime() <= nowMs)
    throw ApiError.parameter('schedule.end_date', 'schedule.end_date must be in the future.');
  return { startsAt, endsAt };
}

function readTime(text: string, param: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw ApiError.parameter(param, `${param} is no time of the calendar.`);
  return time;
}

/** @throws ApiError 400 naming the row */
export function readPlacements(given: RulePlacementsDto | null): RulePlacements | null {
  if (given === null) return null;
  const rows = given.placement_offerings;
  assertPlacementIdentifiers(
    rows.map((row) => row.placement_identifier),
    'placements.placement_offerings',
  );
  return {
    fallbackOfferingId: given.fallback_offering_id,
    offerings: rows.map((row) => ({
      placementIdentifier: row.placement_identifier,
      offeringId: row.offering_id,
    })),
  };
}

/** Returns the offerings used by a rule, with their request fields. */
export function offeringsOf({
  offeringId,
  placements,
}: Pick<TargetingRule, 'offeringId' | 'placements'>): NamedOffering[] {
  const named: { param: string; offeringId: string | null }[] = [
    { param: 'offering_id', offeringId },
    { param: 'placements.fallback_offering_id', offeringId: placements?.fallbackOfferingId ?? null },
    ...(placements?.offerings ?? []).map((row, index) => ({
      param: `placements.placement_offerings[${index}].offering_id`,
      offeringId: row.offeringId,
    })),
  ];
  return named.filter((row): row is NamedOffering => row.offeringId !== null);
}
