import { chargedTogether } from './add-ons.js';
import type { SubscriptionView } from './subscription-view.js';
import type { Subscription } from './model.js';
import { addOnsAt } from './derive-add-ons.js';
import type { EngineEvent, EventItem } from './outcome.model.js';
import { chargedPrice, type KeyedPeriod, purchasedAt } from './periods.js';
import { chargesOf, seatsInPeriod } from './seats.js';
import type { Price } from './enums.js';

/**
 * Older periods that come with the first report, or lie between known ones, are stored in the history but not
 * delivered. Periods after the latest known one are always delivered: after recovery in grace, one starts where the old
 * one ended.
 */
const SUPPRESS_AFTER_MS = 24 * 3_600_000;

type About = Pick<EngineEvent, 'type' | 'dedupeKey' | 'occurredAtMs'> & Partial<EngineEvent>;

/** The products of a subscription with add-ons, each with its share of the event's price; null without add-ons. */
function itemsOf(
  view: SubscriptionView,
  period: KeyedPeriod,
  { price, expirationAtMs }: EngineEvent,
  nowMs: number,
) {
  const addOns = addOnsAt(view, period, nowMs);
  if (addOns.length === 0) return null;
  const { amountMicros } = price;
  const charged = chargedTogether(period, view.addOns).amountMicros ?? 0;
  // A refund can return more than the prices. The rest, for extras of the charge, goes to the base product.
  const share =
    charged === 0 || amountMicros === null ? 0 : Math.max(-1, Math.min(1, amountMicros / charged));
  const part = (micros: number | null): Price => ({ ...price, amountMicros: micros });
  const others = addOns.map((addOn): EventItem => {
    const own = addOn.chargeKey === period.key ? chargedPrice(addOn).amountMicros : 0;
    return {
      type: 'addon',
      storeProductId: addOn.storeProductId,
      planId: addOn.planId,
      expirationAtMs: addOn.endMs,
      price: part(own === null || amountMicros === null ? null : Math.round(own * share)),
    };
  });
  const ofOthers = others.reduce((sum, item) => sum + (item.price.amountMicros ?? 0), 0);
  const base: EventItem = {
    type: 'base',
    storeProductId: period.storeProductId,
    planId: period.planId,
    expirationAtMs,
    price: part(amountMicros === null ? null : amountMicros - ofOthers),
  };
  return [base, ...others];
}

function seatsField(view: SubscriptionView, period: KeyedPeriod): Pick<EngineEvent, 'seats'> {
  const seats = seatsInPeriod(view, period);
  return seats ? { seats: seats.quantity } : {};
}

/** An event about one period. Contains no money unless a price is passed. */
export function eventAbout(
  subscription: Pick<Subscription, 'store'>,
  view: SubscriptionView,
  period: KeyedPeriod,
  event: About,
  nowMs: number,
): EngineEvent {
  const about: EngineEvent = {
    delivery: 'send',
    storeProductId: period.storeProductId,
    planId: period.planId,
    periodType: subscription.store === 'promotional' ? 'promotional' : period.kind,
    purchasedAtMs: purchasedAt(period),
    expirationAtMs: period.endMs,
    transactionId: period.storeTransactionId,
    originalTransactionId: view.first.storeTransactionId,
    ownership: period.ownership,
    price: { amountMicros: 0, currency: period.price.currency, source: 'store' },
    country: period.country,
    offerCode: period.offerCode,
    presentedOfferingId: view.facts.hints?.value.presentedOfferingId ?? null,
    ...(period.ownership === 'purchased' && seatsField(view, period)),
    ...event,
  };
  const items = itemsOf(view, period, about, nowMs);
  return items ? { ...about, items } : about;
}

/** INITIAL_PURCHASE of a subscription and RENEWAL of each further period, once each, whenever they become known. */
export function openings(
  subscription: Pick<Subscription, 'id' | 'store'>,
  view: SubscriptionView,
  opened: readonly string[],
  nowMs: number,
): EngineEvent[] {
  const emitted = new Set(opened);
  const events: EngineEvent[] = [];
  const lastEmitted = view.all.findLastIndex(({ key }) => emitted.has(key));
  view.all.forEach((period, index) => {
    const charges = chargesOf(view, period);
    if (charges.some(({ key }) => emitted.has(key))) return;
    const isFirst = emitted.size === 0;
    emitted.add(period.key);
    const isHistory = !isFirst && (opened.length === 0 || index < lastEmitted);
    const previous = view.all[index - 1];
    events.push(
      eventAbout(
        subscription,
        view,
        period,
        {
          type: isFirst ? 'INITIAL_PURCHASE' : 'RENEWAL',
          dedupeKey: isFirst ? `${subscription.id}:ip` : `${subscription.id}:rn:${period.key}`,
          occurredAtMs: purchasedAt(period),
          delivery: isHistory && nowMs - period.startMs > SUPPRESS_AFTER_MS ? 'suppressed' : 'send',
          price: chargedTogether(period, view.addOns),
          renewalNumber: index + 1,
          ...(isFirst ? {} : { isTrialConversion: previous?.kind === 'trial' && period.kind !== 'trial' }),
        },
        nowMs,
      ),
    );
  });
  return events;
}
