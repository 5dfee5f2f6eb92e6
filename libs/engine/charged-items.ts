import { periodEnd } from './access-spans.js';
import { type KeyedAddOn, productName } from './add-ons.js';
import { addOnEnd } from './derive-add-ons.js';
import { currentState } from './derive-state.js';
import { hasPeriods } from './effective-facts.js';
import type { OfferFact, PeriodFact, SubscriptionFacts } from './facts.model.js';
import type { EmittedState, Subscription, SubscriptionState } from './model.js';
import { chargedPrice, type KeyedPeriod, refundOf } from './periods.js';
import type { Ownership, PeriodKind } from './enums.js';
import { unusedAtSwitch } from './purchase-switch.js';
import { chargeRefunds, chargesOf } from './seats.js';
import { type SubscriptionView, viewSubscription } from './subscription-view.js';

/** A billing period of a product that the store charged for: of the subscription's own product, or of an add-on. */
export interface ChargedItem {
  /** Key of the period or add-on. */
  key: string;
  /** Key of the charge's ledger rows. An add-on shares it with the period that the same charge paid for. */
  ledgerKey: string;
  /** Amount of this item in its charge; null if unknown. */
  chargedMicros: number | null;
  isAddOn: boolean;
  storeProductId: string;
  planId: string | null;
  kind: PeriodKind;
  ownership: Ownership;
  startMs: number;
  /** The store's own end, without grace; it may precede the start. Null: never ends. */
  endMs: number | null;
  /** End of access, at most the start of the next period. Null: never ends. */
  accessEndsAtMs: number | null;
  storeTransactionId: string;
  /** 1 for the first period. */
  number: number;
  /** The first paid period after a trial. */
  isTrialConversion: boolean;
  /** When the store returned money; null if it did not, or only the unused part because another purchase took over. */
  refundedAtMs: number | null;
  /** Facts that predate the storage of offers have only a code. */
  offer: OfferFact | { type: 'unspecified_offer'; id: string } | null;
  /** The period that the subscription's state is about. */
  isLatest: boolean;
}

export interface ChargedSubscription {
  state: SubscriptionState;
  /** End of the latest period's grace, also once it is over; null without one. */
  latestGraceEndsAtMs: number | null;
  /** Auto-renew is off after the latest period. */
  isRenewalOff: boolean;
  /** Periods in their order, then add-ons. Only what was recorded as charged: pending purchases have none. */
  items: ChargedItem[];
  /** Items of other ledger rows: added seats and extras, by the key of those rows. */
  ledgerKeys: ReadonlyMap<string, string>;
}

export function offerOf({ offer, offerCode }: Pick<PeriodFact, 'offer' | 'offerCode'>): ChargedItem['offer'] {
  if (offer) return offer;
  return offerCode === null ? null : { type: 'unspecified_offer', id: offerCode };
}

/** The unused part that a switch to another purchase returned is no refund of the charge. */
function refundedAt({ facts }: SubscriptionView, chargeKey: string): number | null {
  const refund = refundOf({ refunds: chargeRefunds(facts) }, chargeKey);
  if (refund === null || refund.kind === 'family') return null;
  return unusedAtSwitch(facts, chargeKey, refund) === null ? refund.revokedAtMs : null;
}

function ownItem(
  view: SubscriptionView,
  period: KeyedPeriod,
  index: number,
  { booked }: EmittedState,
): ChargedItem {
  const fact = view.facts.periods[period.key]?.value;
  const { key, storeProductId, planId, kind, ownership, startMs, storeTransactionId } = period;
  return {
    key,
    ledgerKey: booked?.[key] ?? key,
    chargedMicros: chargedPrice(period).amountMicros,
    isAddOn: false,
    ...{ storeProductId, planId, kind, ownership, startMs, storeTransactionId },
    endMs: fact ? fact.endMs : period.endMs,
    accessEndsAtMs: periodEnd(view, period),
    number: index + 1,
    isTrialConversion: kind !== 'trial' && view.all[index - 1]?.kind === 'trial',
    refundedAtMs: refundedAt(view, key),
    offer: fact ? offerOf(fact) : null,
    isLatest: period === view.latest,
  };
}

function addOnItems(
  view: SubscriptionView,
  opened: ReadonlySet<string>,
  emitted: EmittedState,
): ChargedItem[] {
  const { addOns, facts, latest } = view;
  const items: ChargedItem[] = [];
  const earlier = new Map<string, KeyedAddOn[]>();
  for (const addOn of addOns) {
    const name = productName(addOn);
    const before = earlier.get(name) ?? [];
    earlier.set(name, [...before, addOn]);
    if (!opened.has(addOn.key)) continue;
    const { key, chargeKey, storeProductId, planId, kind, ownership, startMs, storeTransactionId } = addOn;
    const next = addOns.find((one) => one.startMs > startMs && productName(one) === name);
    const ends = [addOnEnd(view, addOn), next?.startMs ?? null].filter((end) => end !== null);
    const fact = facts.addOns?.[key]?.value;
    const isOfPeriod = Object.hasOwn(facts.periods, chargeKey);
    items.push({
      key,
      ledgerKey: isOfPeriod ? (emitted.booked?.[chargeKey] ?? chargeKey) : `${chargeKey}+`,
      chargedMicros: chargedPrice(addOn).amountMicros,
      isAddOn: true,
      ...{ storeProductId, planId, kind, ownership, startMs, storeTransactionId },
      endMs: fact ? fact.endMs : addOn.endMs,
      accessEndsAtMs: ends.length === 0 ? null : Math.min(...ends),
      number: before.length + 1,
      isTrialConversion: kind !== 'trial' && before.at(-1)?.kind === 'trial',
      refundedAtMs: refundedAt(view, chargeKey),
      offer: fact ? offerOf(fact) : null,
      isLatest: next === undefined && startMs >= latest.startMs,
    });
  }
  return items;
}

/** Extras belong to the charge that they were part of. */
function otherLedgerKeys(view: SubscriptionView, { booked }: EmittedState): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { key, additionTo } of view.additions) {
    if (additionTo !== undefined) keys.set(key, booked?.[additionTo] ?? additionTo);
  }
  for (const [key, { value }] of Object.entries(view.facts.extras ?? {})) {
    const { chargeKey } = value;
    keys.set(
      key,
      Object.hasOwn(view.facts.periods, chargeKey) ? (booked?.[chargeKey] ?? chargeKey) : `${chargeKey}+`,
    );
  }
  return keys;
}

/** Everything that a subscription was charged for, at `nowMs`; null if it has no period. */
export function chargedSubscription(
  { facts, emitted }: { facts: SubscriptionFacts; emitted: Subscription['emitted'] },
  nowMs: number,
): ChargedSubscription | null {
  if (!hasPeriods(facts)) return null;
  const view = viewSubscription(facts);
  const opened = new Set(emitted.opened);
  const periods = view.all.flatMap((period, index) => {
    const isOpened = chargesOf(view, period).some(({ key }) => opened.has(key));
    return isOpened ? [ownItem(view, period, index, emitted)] : [];
  });
  return {
    state: currentState({ facts, emitted }, nowMs),
    latestGraceEndsAtMs: view.graceEndsAtMs,
    isRenewalOff: !view.renewal.autoRenew,
    items: [...periods, ...addOnItems(view, opened, emitted)],
    ledgerKeys: otherLedgerKeys(view, emitted),
  };
}
