import { chargedAlone, chargedTogether, orderedAddOns, sumOf } from './add-ons.js';
import { effectiveFacts } from './effective-facts.js';
import type { SubscriptionFacts } from './facts.model.js';
import { chargedPrice, orderedPeriods } from './periods.js';
import type { Price } from './enums.js';

/** The total price of one charge of a subscription; null if the charge paid for none of its periods or add-ons. */
export function chargedPriceOf(known: SubscriptionFacts, chargeKey: string): Price | null {
  const facts = effectiveFacts(known);
  const all = orderedPeriods(facts);
  const addOns = orderedAddOns(facts, all);
  const period = all.find(({ key }) => key === chargeKey);
  if (period) return chargedTogether(period, addOns);
  const alone = chargedAlone(facts, addOns).get(chargeKey);
  return alone ? sumOf(alone.map(chargedPrice)) : null;
}
