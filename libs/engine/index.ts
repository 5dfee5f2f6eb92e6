export type * from './facts.model.js';
export type * from './model.js';
export type * from './outcome.model.js';
export type * from './words.js';
export { chargedPriceOf } from './charged-price.js';
export { type AccessSpan, accessSpans } from './access-spans.js';
export { applyChain, type ChainChange, type Circumstances, factsWith, newChain } from './apply-chain.js';
export { applyOneTime, deriveOneTime, newOneTimePurchase, type OneTimeChange } from './apply-one-time.js';
export { type ChainView, latestContinuation, viewChain } from './chain-view.js';
export { chainState, deriveChain } from './derive-chain.js';
export { type EntitlementKey, type ResolvedEntitlement, resolveEntitlements } from './entitlements.js';
export {
  type AccessCause,
  type AccessClaim,
  accessCauses,
  explainChain,
  type ExplainedEntitlement,
  explainEntitlements,
  explainOneTime,
} from './explain.js';
export { explainAddOns } from './explain-add-ons.js';
export { mergeChainFacts, mergeOneTimeFacts, noChainFacts, noOneTimeFacts } from './facts.js';
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
export { paidYearEndsAt } from './paid-year.js';
export { chainReturns, oneTimeReturns, type Return } from './returns.js';
export { type DueChain, passTime, type TimeStep, type Word } from './pass-time.js';
