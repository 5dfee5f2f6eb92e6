import type { AddOnFact, SubscriptionFacts } from './facts.model.js';
import { chargedPrice, inOrder, keyed, type KeyedPeriod, revocationOf, withKnownPrices } from './periods.js';
import { type Price, unknownPrice } from './enums.js';

export interface KeyedAddOn extends KeyedPeriod, Pick<AddOnFact, 'chargeKey' | 'renews' | 'valueMicros'> {
  saidAtMs: number;
}

const none: readonly KeyedAddOn[] = [];

type Product = Pick<KeyedPeriod, 'storeProductId' | 'planId'>;

export function productName({ storeProductId, planId }: Product): string {
  return planId === null ? storeProductId : `${storeProductId}:${planId}`;
}

/** Sorted by start, with the best known prices. No add-on ends before it starts. */
export function orderedAddOns(
  { addOns, periods, prices }: SubscriptionFacts,
  all: readonly KeyedPeriod[],
): readonly KeyedAddOn[] {
  if (!addOns || all.length === 0) return none;
  const ordered: KeyedAddOn[] = [];
  for (const [key, { at, value }] of Object.entries(addOns)) {
    const { chargeKey, renews, valueMicros } = value;
    // A former add-on that is now the subscription's own product was charged only once.
    if (periods[chargeKey]?.value.storeProductId === value.storeProductId) continue;
    const period = keyed(key, value, prices?.[key]?.value ?? value.price);
    ordered.push({ ...period, chargeKey, renews, valueMicros, saidAtMs: at });
  }
  return withKnownPrices(ordered.sort(inOrder));
}

/** The paid periods of each add-on product. Ignores periods that were refunded before they started. */
export function addOnsByProduct(facts: SubscriptionFacts, addOns: readonly KeyedAddOn[]): KeyedAddOn[][] {
  const byProduct = new Map<string, KeyedAddOn[]>();
  for (const addOn of addOns) {
    const name = productName(addOn);
    byProduct.set(name, [...(byProduct.get(name) ?? []), addOn]);
  }
  return [...byProduct.values()].map((own) =>
    own.filter(({ chargeKey, startMs }, index) => {
      const revocation = index === 0 ? null : revocationOf(facts, chargeKey);
      return revocation === null || revocation.revokedAtMs >= startMs;
    }),
  );
}

/** Sums the known amounts that share the first amount's currency. */
export function sumOf(prices: readonly Price[]): Price {
  const known = prices.filter(({ amountMicros }) => amountMicros !== null);
  const [first] = known;
  if (!first) return prices[0] ?? unknownPrice;
  // A zero amount may have no currency.
  const priced = known.find(({ currency }) => currency !== null) ?? first;
  const same = known.filter(({ currency }) => currency === priced.currency);
  const amountMicros = same.reduce((sum, price) => sum + (price.amountMicros ?? 0), 0);
  return { ...priced, amountMicros };
}

export function chargedTogether(period: KeyedPeriod, addOns: readonly KeyedAddOn[]): Price {
  const together = addOns.filter(({ chargeKey }) => chargeKey === period.key);
  const own = chargedPrice(period);
  return together.length === 0 ? own : sumOf([own, ...together.map(chargedPrice)]);
}

/** Add-ons of charges that paid for no period of the subscription. */
export function chargedAlone(
  { periods }: SubscriptionFacts,
  addOns: readonly KeyedAddOn[],
): ReadonlyMap<string, KeyedAddOn[]> {
  const alone = new Map<string, KeyedAddOn[]>();
  for (const addOn of addOns) {
    const { chargeKey } = addOn;
    if (Object.hasOwn(periods, chargeKey)) continue;
    alone.set(chargeKey, [...(alone.get(chargeKey) ?? []), addOn]);
  }
  return alone;
}
