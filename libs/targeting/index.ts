export { bucketOf, BUCKETS, variantBounds, variantIndex } from './bucket.js';
export {
  checkedConditions,
  ConditionProblem,
  type ConditionScope,
  MAX_CONDITIONS,
} from './check-conditions.js';
export {
  type CompiledExperiment,
  type CompiledRule,
  compileTargeting,
  type CustomerFacts,
  decide,
  type Decision,
  type Enrollment,
  enrolledIn,
  isOutOfAll,
  type Question,
  type Refusal,
  refusalOf,
  standingRefusal,
  type Targeting,
  type TargetingTerms,
  variantOf,
} from './decide.js';
export {
  type ExperimentExplanation,
  explainExperiments,
  explainRule,
  type RuleExplanation,
} from './explain.js';
export {
  type ExperimentAction,
  experimentActions,
  forbiddenEdit,
  mayDelete,
  statusAfter,
} from './experiment-life.js';
export {
  type Condition,
  type ConditionField,
  conditionFields,
  conditionOperators,
  type EnrollmentMode,
  enrollmentModes,
  type ExperimentPlacements,
  type ExperimentStatus,
  experimentStatuses,
  type ExperimentTerms,
  type PlacementOffering,
  type RulePlacements,
  type RuleState,
  ruleStates,
  type Schedule,
  type TargetingRuleTerms,
  type VariantId,
  variantIds,
  type VariantOfferings,
} from './model.js';
export { type Presentation, presentationOf } from './placements.js';
export { flavorOf, noAttributes, platformOf, platforms, sdkOf, type TargetingRequest } from './request.js';
export {
  checkedRefundConditions,
  type RefundCondition,
  type RefundConditionField,
  refundConditionFields,
  type RefundConditionScope,
} from './refund-conditions.js';
export { type RefundFacts, refundReasons } from './refund-facts.js';
export {
  type CompiledRefundPolicies,
  compileRefundPolicies,
  firstMatch,
  type MatchedPolicy,
  type RefundPolicyTerms,
  type RefundPreference,
  refundPreferences,
  type RefundStore,
  refundStores,
} from './refund-policies.js';
export {
  checkedRetentionConditions,
  type CompiledRetentionRules,
  compileRetentionRules,
  matchingRules,
  retentionConditionFields,
  type RetentionFacts,
} from './retention-rules.js';
export { mayOverlap } from './overlap.js';
export {
  type AnswerReason,
  answerReasons,
  type AnswerStatus,
  answerStatuses,
  type RefundDecider,
  refundDeciders,
  type RefundHandling,
  refundHandlings,
  type RefundOutcome,
  refundOutcomes,
} from './refund-terms.js';
export { isLive, stateAt } from './schedule.js';
export { compareVersions, deviceVersion, parseVersion, type Version } from './versions.js';
