import { effectivePurchase } from './effective-facts.js';
import { mergeOneTimeFacts, noOneTimeFacts } from './facts.js';
import type { Observation, OneTimeFacts } from './facts.model.js';
import { type Booking, feeMark, feeRows, leftOf, moveRows, returnedAmount } from './ledger.js';
import type { OneTimeEmittedState, OneTimePurchase, OneTimeState } from './model.js';
import type { EngineEvent, LedgerEntry } from './outcome.model.js';
import { assertPlausible } from './plausible.js';
import { isPaidByOther, type Ownership, type Price } from './enums.js';

export interface OneTimeChange {
  purchase: OneTimePurchase;
  state: OneTimeState;
  /** If false, nothing needs to be written, and ledger and events are empty. */
  changed: boolean;
  ledger: LedgerEntry[];
  /** The charges that credit virtual currency. Default: the charges in the ledger. */
  sales?: LedgerEntry[];
  events: EngineEvent[];
}

export function newOneTimePurchase(
  identity: Pick<OneTimePurchase, 'id' | 'store' | 'environment' | 'purchaseKey'>,
): OneTimePurchase {
  return { ...identity, facts: noOneTimeFacts, factsAtMs: 0, emitted: { purchase: false } };
}

/** @throws RangeError if the facts contain no purchase */
export function deriveOneTime(known: OneTimeFacts): OneTimeState {
  const facts = effectivePurchase(known);
  const fact = facts.purchase?.value;
  if (!fact) throw new RangeError('a one-time purchase without its purchase fact has no state');
  const refund = facts.refund?.value;
  const returned = refund && refund.refundedAtMs !== null ? Math.min(refund.quantity, fact.quantity) : 0;
  // If only some of the units were refunded, the customer still owns the rest.
  const refundedAtMs = refund && returned >= fact.quantity ? refund.refundedAtMs : null;
  return {
    ...fact,
    planId: fact.planId ?? null,
    price: facts.price?.value ?? fact.price,
    expiresAtMs: fact.expiresAtMs === null ? null : Math.max(fact.expiresAtMs, fact.purchasedAtMs),
    isRental: fact.isRental ?? false,
    isTypeUnknown: fact.isTypeUnknown ?? false,
    status: refundedAtMs === null ? 'owned' : 'refunded',
    refundedAtMs,
    refundedQuantity: returned,
    presentedOfferingId: facts.hints?.value.presentedOfferingId ?? null,
  };
}

function chargedOf(price: Price, ownership: Ownership): Price {
  if (ownership === 'unknown') return { ...price, amountMicros: null };
  return isPaidByOther(ownership) ? { ...price, amountMicros: 0 } : price;
}

function booking(known: OneTimeFacts): Booking {
  const facts = effectivePurchase(known);
  const { price, ownership, quantity, refundedQuantity } = deriveOneTime(facts);
  const charged = chargedOf(price, ownership);
  const returnSaidAtMs = facts.refund?.at ?? 0;
  const refund = facts.refund?.value;
  if (!refund || refund.refundedAtMs === null) return { charged, returned: null, returnSaidAtMs };
  const amountMicros = returnedAmount(charged.amountMicros, refund.amountMicros, refundedQuantity / quantity);
  return {
    charged,
    returned: amountMicros === 0 ? null : { amountMicros, atMs: refund.refundedAtMs },
    returnSaidAtMs,
  };
}

function eventOf(
  state: OneTimeState,
  event: Pick<EngineEvent, 'type' | 'dedupeKey' | 'occurredAtMs' | 'price'> & Partial<EngineEvent>,
): EngineEvent {
  return {
    delivery: 'send',
    storeProductId: state.storeProductId,
    planId: state.planId,
    periodType: 'normal',
    purchasedAtMs: state.purchasedAtMs,
    expirationAtMs: null,
    transactionId: state.storeTransactionId,
    originalTransactionId: state.storeTransactionId,
    ownership: state.ownership,
    country: state.country,
    offerCode: null,
    presentedOfferingId: state.presentedOfferingId,
    ...event,
  };
}

/** One event for the purchase and one for each full refund and its reversal. Partial refunds only affect the ledger. */
function eventsOf(
  purchase: OneTimePurchase,
  state: OneTimeState,
  basis: { before: Booking | null; after: Booking },
): { events: EngineEvent[]; emitted: OneTimeEmittedState } {
  const { id, facts, emitted } = purchase;
  const events: EngineEvent[] = [];
  const count = emitted.refunds ?? 0;
  const isRefundEmitted = count % 2 === 1;
  const { charged, returned } = basis.after;
  if (!emitted.purchase) {
    const occurredAtMs = state.purchasedAtMs;
    const dedupeKey = `otp:${id}`;
    events.push(
      eventOf(state, {
        type: 'NON_RENEWING_PURCHASE',
        dedupeKey,
        occurredAtMs,
        price: charged,
        renewalNumber: 1,
      }),
    );
  }
  if (state.refundedAtMs !== null && !isRefundEmitted) {
    const amountMicros = returned === null ? 0 : returned.amountMicros;
    events.push(
      eventOf(state, {
        type: 'CANCELLATION',
        dedupeKey: `otp_rf:${id}:${count}`,
        occurredAtMs: state.refundedAtMs,
        price: { ...charged, amountMicros: amountMicros === null ? null : 0 - amountMicros },
        cancelReason: 'CUSTOMER_SUPPORT',
      }),
    );
  } else if (state.refundedAtMs === null && isRefundEmitted) {
    const before = basis.before ?? basis.after;
    events.push(
      eventOf(state, {
        type: 'REFUND_REVERSED',
        dedupeKey: `otp_rr:${id}:${count}`,
        occurredAtMs: facts.refund?.at ?? state.purchasedAtMs,
        price: {
          ...before.charged,
          amountMicros: before.returned?.amountMicros ?? before.charged.amountMicros,
        },
      }),
    );
  }
  const changed = (state.refundedAtMs !== null) !== isRefundEmitted;
  return { events, emitted: { ...emitted, purchase: true, ...(changed && { refunds: count + 1 }) } };
}

function ledgerOf(
  purchase: OneTimePurchase,
  state: OneTimeState,
  basis: { before: Booking | null; after: Booking },
): { ledger: LedgerEntry[]; charge: LedgerEntry; emitted: OneTimeEmittedState } {
  const base = {
    periodKey: purchase.purchaseKey,
    storeIds: [state.storeTransactionId],
    storeProductId: state.storeProductId,
    planId: state.planId,
    quantity: state.quantity,
    purchasedAtMs: state.purchasedAtMs,
    expiresAtMs: state.expiresAtMs,
    periodType: 'normal' as const,
    ownership: state.ownership,
    country: state.country,
    ...feeMark(purchase.facts.purchase?.value),
  };
  const { before, after } = basis;
  const { emitted } = purchase;
  const then = before ?? { ...after, returned: null };
  const isFeeNew = base.isFeeKnown === true && !emitted.isFeeKnown;
  const rebooked =
    before && isFeeNew
      ? feeRows(base, 'correction', leftOf(before), emitted.moves ?? {})
      : { rows: [], counts: emitted.moves ?? {} };
  const moved = moveRows(base, then, after, rebooked.counts);
  const rows = [...rebooked.rows, ...moved.rows];
  const charge: LedgerEntry = { ...base, kind: 'one_time', kindSeq: 0, price: after.charged };
  return {
    ledger: before ? rows : [charge, ...rows],
    charge,
    emitted: {
      ...emitted,
      ...(rows.length > 0 && { moves: moved.counts }),
      ...(isFeeNew && { isFeeKnown: true }),
    },
  };
}

/** A purchase of an unknown type credits no currency until its type is known. */
function salesOf(
  { facts, emitted }: OneTimePurchase,
  state: OneTimeState,
  charge: LedgerEntry,
): Pick<OneTimeChange, 'sales'> {
  if (state.isTypeUnknown) return { sales: [] };
  return emitted.purchase && deriveOneTime(facts).isTypeUnknown ? { sales: [charge] } : {};
}

/**
 * Applies one observation to a one-time purchase. Pure and idempotent.
 * @throws RangeError if there is no purchase yet, or the observation is more than a day ahead of `nowMs`
 */
export function applyOneTime(
  previous: OneTimePurchase,
  observation: Observation<OneTimeFacts>,
  nowMs: number = observation.atMs,
): OneTimeChange {
  assertPlausible(observation, nowMs);
  const facts = mergeOneTimeFacts(previous.facts, observation.facts);
  const state = deriveOneTime(facts);
  const changed = !previous.emitted.purchase || facts !== previous.facts;
  if (!changed) return { purchase: previous, state, changed, ledger: [], events: [] };
  const factsAtMs = Math.max(previous.factsAtMs, observation.atMs);
  const purchase = { ...previous, facts, factsAtMs };
  const basis = {
    before: previous.emitted.purchase ? booking(previous.facts) : null,
    after: booking(facts),
  };
  const { events, emitted } = eventsOf(purchase, state, basis);
  const booked = ledgerOf({ ...purchase, emitted }, state, basis);
  return {
    purchase: { ...purchase, emitted: booked.emitted },
    state,
    changed,
    ledger: booked.ledger,
    ...salesOf(previous, state, booked.charge),
    events,
  };
}
