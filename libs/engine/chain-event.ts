import type { ChainView } from './chain-view.js';
import type { Chain } from './model.js';
import type { EngineEvent } from './outcome.model.js';
import { chargedPrice, type KeyedPeriod } from './periods.js';

/**
 * Older periods found at first sight, or between known ones, go into the history, but nobody is woken for them.
 * What follows the latest known one is news however old: a recovery in grace begins where the old period ended.
 */
const SUPPRESS_AFTER_MS = 24 * 3_600_000;

type About = Pick<EngineEvent, 'type' | 'dedupeKey' | 'occurredAtMs'> & Partial<EngineEvent>;

/** An event about one period; without money unless a price is given. */
export function eventAbout(
  chain: Pick<Chain, 'store'>,
  view: ChainView,
  period: KeyedPeriod,
  event: About,
): EngineEvent {
  return {
    delivery: 'send',
    storeProductId: period.storeProductId,
    planId: period.planId,
    periodType: chain.store === 'promotional' ? 'promotional' : period.kind,
    purchasedAtMs: period.startMs,
    expirationAtMs: period.endMs,
    transactionId: period.storeTransactionId,
    originalTransactionId: view.first.storeTransactionId,
    ownership: period.ownership,
    price: { amountMicros: 0, currency: period.price.currency, source: 'store' },
    country: period.country,
    offerCode: period.offerCode,
    presentedOfferingId: view.facts.hints?.value.presentedOfferingId ?? null,
    ...event,
  };
}

/** INITIAL_PURCHASE of a chain and RENEWAL of each further period: once each, whenever they become known. */
export function openings(
  chain: Pick<Chain, 'id' | 'store'>,
  view: ChainView,
  opened: readonly string[],
  nowMs: number,
): EngineEvent[] {
  const told = new Set(opened);
  const events: EngineEvent[] = [];
  const lastTold = view.all.findLastIndex(({ key }) => told.has(key));
  view.all.forEach((period, index) => {
    if (told.has(period.key)) return;
    const isFirst = told.size === 0;
    told.add(period.key);
    const isHistory = !isFirst && (opened.length === 0 || index < lastTold);
    const previous = view.all[index - 1];
    events.push(
      eventAbout(chain, view, period, {
        type: isFirst ? 'INITIAL_PURCHASE' : 'RENEWAL',
        dedupeKey: isFirst ? `${chain.id}:ip` : `${chain.id}:rn:${period.key}`,
        occurredAtMs: period.startMs,
        delivery: isHistory && nowMs - period.startMs > SUPPRESS_AFTER_MS ? 'suppressed' : 'send',
        price: chargedPrice(period),
        renewalNumber: index + 1,
        ...(isFirst ? {} : { isTrialConversion: previous?.kind === 'trial' && period.kind !== 'trial' }),
      }),
    );
  });
  return events;
}
