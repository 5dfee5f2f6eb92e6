import { canonicalJson } from '../kernel/index.js';
import { mergeOneTimeFacts, noOneTimeFacts } from './facts.js';
import type {
  EngineEvent,
  LedgerEntry,
  Observation,
  OneTimeFacts,
  OneTimePurchase,
  OneTimeState,
} from './model.js';

export interface OneTimeChange {
  purchase: OneTimePurchase;
  state: OneTimeState;
  /** False: nothing to write, ledger and events are empty. */
  changed: boolean;
  ledger: LedgerEntry[];
  events: EngineEvent[];
}

/** A one-time purchase nothing is known of yet. */
export function newOneTimePurchase(
  identity: Pick<OneTimePurchase, 'id' | 'store' | 'environment' | 'purchaseKey'>,
): OneTimePurchase {
  return { ...identity, facts: noOneTimeFacts, factsAtMs: 0, memory: { told: false } };
}

/**
 * State of a one-time purchase, from its facts alone.
 * @throws RangeError when the facts hold no purchase
 */
export function deriveOneTime(facts: OneTimeFacts): OneTimeState {
  const fact = facts.purchase?.value;
  if (!fact) throw new RangeError('a one-time purchase without its purchase fact has no state');
  const refund = facts.refund?.value;
  // Some of several pieces given back: the rest is still owned.
  const refundedAtMs = refund && refund.quantity >= fact.quantity ? refund.refundedAtMs : null;
  return {
    ...fact,
    status: refundedAtMs === null ? 'owned' : 'refunded',
    refundedAtMs,
    presentedOfferingId: facts.hints?.value.presentedOfferingId ?? null,
  };
}

function purchaseEvent(purchase: OneTimePurchase, state: OneTimeState): EngineEvent {
  return {
    type: 'NON_RENEWING_PURCHASE',
    dedupeKey: `otp:${purchase.id}`,
    occurredAtMs: state.purchasedAtMs,
    delivery: 'send',
    storeProductId: state.storeProductId,
    planId: null,
    periodType: 'normal',
    purchasedAtMs: state.purchasedAtMs,
    expirationAtMs: null,
    transactionId: state.storeTransactionId,
    originalTransactionId: state.storeTransactionId,
    ownership: state.ownership,
    price: state.price,
    country: state.country,
    offerCode: null,
    presentedOfferingId: state.presentedOfferingId,
    renewalNumber: 1,
  };
}

function purchaseEntry(purchase: OneTimePurchase, state: OneTimeState): LedgerEntry {
  return {
    kind: 'one_time',
    kindSeq: 0,
    periodKey: purchase.purchaseKey,
    storeIds: [state.storeTransactionId],
    storeProductId: state.storeProductId,
    price: state.ownership === 'family_shared' ? { ...state.price, amountMicros: 0 } : state.price,
    quantity: state.quantity,
    purchasedAtMs: state.purchasedAtMs,
    expiresAtMs: state.expiresAtMs,
    periodType: 'normal',
    ownership: state.ownership,
    country: state.country,
  };
}

/** Takes one observation into a one-time purchase. Pure; the same input twice changes nothing. */
export function applyOneTime(
  previous: OneTimePurchase,
  observation: Observation<OneTimeFacts>,
): OneTimeChange {
  const facts = mergeOneTimeFacts(previous.facts, observation.facts);
  const factsAtMs = Math.max(previous.factsAtMs, observation.atMs);
  const purchase: OneTimePurchase = { ...previous, facts, factsAtMs, memory: { told: true } };
  const state = deriveOneTime(facts);
  const changed = !previous.memory.told || canonicalJson(facts) !== canonicalJson(previous.facts);
  if (!changed) return { purchase: previous, state, changed, ledger: [], events: [] };
  return {
    purchase,
    state,
    changed,
    ledger: previous.facts.purchase === null ? [purchaseEntry(purchase, state)] : [],
    events: previous.memory.told ? [] : [purchaseEvent(purchase, state)],
  };
}
