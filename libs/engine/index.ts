export type * from './facts.model.js';
export type * from './model.js';
export type * from './outcome.model.js';
export type * from './enums.js';
export { isPaidByOther, unknownPrice } from './enums.js';
export { chargedPriceOf } from './charged-price.js';
export { type ChargedItem, type ChargedSubscription, chargedSubscription, offerOf } from './charged-items.js';
export { type AccessSpan, accessSpans, type SpanPart } from './access-spans.js';
export {
  applySubscription,
  type SubscriptionChange,
  type Circumstances,
  factsWith,
  newSubscription,
} from './apply-subscription.js';
export { importOneTime, importSubscription, type ImportTerms } from './apply-import.js';
export { formerProducts } from './former-products.js';
export { foldSubscriptions } from './fold-subscriptions.js';
export { effectiveFacts, effectivePurchase, isVerified } from './effective-facts.js';
export { applyOneTime, deriveOneTime, newOneTimePurchase, type OneTimeChange } from './apply-one-time.js';
export { type SubscriptionView, latestContinuation, viewSubscription } from './subscription-view.js';
export { currentState, deriveState } from './derive-state.js';
export { type EntitlementKey, type ResolvedEntitlement, resolveEntitlements } from './entitlements.js';
export {
  type AccessCause,
  type AccessClaim,
  accessCauses,
  everSold,
  explainSubscription,
  type ExplainedEntitlement,
  explainEntitlements,
  explainOneTime,
} from './explain.js';
export { explainAddOns } from './explain-add-ons.js';
export {
  mergeSubscriptionFacts,
  mergeOneTimeFacts,
  noImportedFacts,
  noSubscriptionFacts,
  noOneTimeFacts,
} from './facts.js';
export {
  type Grant,
  type GrantDuration,
  grantDurations,
  grantEnd,
  grantObservation,
  grantProductId,
  grantRevocation,
  isDuplicateGrant,
} from './grants.js';
export {
  decideIdentify,
  decideOwnership,
  type IdentifyCase,
  type IdentifyDecision,
  type OwnershipCase,
  type OwnershipDecision,
  type TransferBehavior,
} from './ownership.js';
export { chargeRefunds, haveSameEnd, isSamePeriod } from './seats.js';
export { currentBundle } from './bundle-state.js';
export { seatsOf } from './seats-state.js';
export { paidYearEndsAt } from './paid-year.js';
export { subscriptionReturns, oneTimeReturns, type Return } from './returns.js';
export { type DueSubscription, passTime, type TimeStep, type StoreReport } from './pass-time.js';
