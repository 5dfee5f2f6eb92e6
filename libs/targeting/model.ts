export const conditionFields = [
  'country',
  'app_config',
  'platform',
  'app_version',
  'sdk_version',
  'custom_attribute',
  'rollout',
] as const;
export type ConditionField = (typeof conditionFields)[number];

export const conditionOperators = ['in', 'not in', '=', '!=', '>', '>=', '<', '<='] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

/** One validated condition of an audience, or of a refund policy, which has further fields. */
export interface Condition<Field extends string = ConditionField> {
  field: Field;
  operator: ConditionOperator;
  value: (string | number)[] | string | number;
  /** App id, SDK or attribute name; null where the field needs none. */
  context: string | null;
}

export interface PlacementOffering {
  placementIdentifier: string;
  /** Null: the placement shows no offering. */
  offeringId: string | null;
}

export interface RulePlacements {
  /** Null: all other placements show no offering. */
  fallbackOfferingId: string | null;
  offerings: PlacementOffering[];
}

export const ruleStates = ['active', 'scheduled', 'inactive'] as const;
export type RuleState = (typeof ruleStates)[number];

export interface Schedule {
  startsAtMs: number;
  /** Null: no end. */
  endsAtMs: number | null;
}

export interface TargetingRuleTerms {
  id: string;
  state: RuleState;
  schedule: Schedule | null;
  offeringId: string;
  conditions: Condition[];
  placements: RulePlacements | null;
  revision: number;
}

export const variantIds = ['a', 'b', 'c', 'd'] as const;
export type VariantId = (typeof variantIds)[number];

export const experimentStatuses = ['draft', 'running', 'paused', 'stopped'] as const;
export type ExperimentStatus = (typeof experimentStatuses)[number];

export const enrollmentModes = ['only_new', 'new_and_existing'] as const;
export type EnrollmentMode = (typeof enrollmentModes)[number];

/** Offerings by variant, in the order of the variants; a missing key leaves the placement out for that variant. */
export type VariantOfferings = Partial<Record<VariantId, string | null>>;

export interface ExperimentPlacements {
  fallback: VariantOfferings;
  offerings: { placementIdentifier: string; offerings: VariantOfferings }[];
}

export interface ExperimentTerms {
  id: string;
  displayName: string;
  status: ExperimentStatus;
  /** Offering ids of the variants a, b, c, d. */
  offerings: string[];
  enrollmentPercentage: number;
  enrollmentMode: EnrollmentMode;
  /** Null: equal shares. */
  weights: number[] | null;
  conditions: Condition[];
  placements: ExperimentPlacements | null;
  startedAtMs: number | null;
}
