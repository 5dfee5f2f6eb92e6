import { addPeriods, parsePeriod, type Period } from '../../kernel/index.js';
import {
  type ChainFacts,
  noChainFacts,
  type Observation,
  type PeriodFact,
  type Price,
  type Register,
  type RenewalFact,
  viewChain,
} from '../../engine/index.js';
import type { StoreProduct } from '../contract.js';

/** What is sold with the next period, and for how much. */
export interface Terms {
  product: StoreProduct;
  price: Price;
}

/** What a store says of the time after a period when nothing is special about it. */
const willRenew: RenewalFact = {
  autoRenew: true,
  cancelledAtMs: null,
  nextProductId: null,
  inRetry: false,
  billingIssueAtMs: null,
  graceUntilMs: null,
  pauseScheduled: false,
  paused: false,
  autoResumeAtMs: null,
};

const MONTH: Period = { years: 0, months: 1, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0 };

/** An ISO 8601 duration; a month when it is missing or none. */
export function periodOf(duration: string | null): Period {
  return parsePeriod(duration ?? 'P1M') ?? MONTH;
}

function said<T>(at: number, value: T): Register<T> {
  return { at, src: 'signed', value };
}

function observed(atMs: number, facts: Partial<ChainFacts>): Observation<ChainFacts> {
  return { atMs, facts: { ...noChainFacts, ...facts } };
}

/**
 * End of a period that begins at `startMs`. A period behind others of its product ends by the calendar of the first of
 * them: whoever subscribed on a 31st pays on the last day of every month.
 */
function endOf(facts: ChainFacts, { product }: Terms, startMs: number): number {
  const period = periodOf(product.duration);
  let anchor = { atMs: startMs, count: 1 };
  let edgeMs = startMs;
  let behind = 0;
  for (const earlier of viewChain(facts).counting.toReversed()) {
    const { kind, storeProductId } = earlier;
    if (kind !== 'normal' || storeProductId !== product.storeIdentifier || earlier.endMs !== edgeMs) break;
    behind += 1;
    edgeMs = earlier.startMs;
    if (addPeriods(edgeMs, period, behind) === startMs) anchor = { atMs: edgeMs, count: behind + 1 };
  }
  return addPeriods(anchor.atMs, period, anchor.count);
}

/** A further period: `token..0`, `token..1` and so on. */
export function renewed(
  facts: ChainFacts,
  token: string,
  terms: Terms,
  { atMs, startMs }: { atMs: number; startMs: number },
): Observation<ChainFacts> {
  const { latest, all } = viewChain(facts);
  const key = `${token}..${all.length - 1}`;
  const period: PeriodFact = {
    storeProductId: terms.product.storeIdentifier,
    planId: null,
    offerCode: null,
    kind: 'normal',
    isRenewal: true,
    startMs,
    endMs: endOf(facts, terms, startMs),
    price: terms.price,
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: key,
    country: latest.country,
  };
  return observed(atMs, {
    periods: { [key]: said(atMs, period) },
    renewal: said(atMs, { ...willRenew, periodKey: key }),
  });
}

/** Something about the time after the latest period; the rest of what was said of it stays. */
function renewalSaid(facts: ChainFacts, atMs: number, change: Partial<RenewalFact>): Observation<ChainFacts> {
  const { renewal, latest } = viewChain(facts);
  // Null: nothing was said of the time after this period.
  const known = renewal.atMs === null ? willRenew : (facts.renewal?.value ?? willRenew);
  return observed(atMs, { renewal: said(atMs, { ...known, periodKey: latest.key, ...change }) });
}

export function renewalTurnedOff(facts: ChainFacts, atMs: number): Observation<ChainFacts> {
  return renewalSaid(facts, atMs, { autoRenew: false, cancelledAtMs: atMs });
}

/** The charge for the next period failed; `graceUntilMs` null: there is no grace. */
export function chargeFailed(
  facts: ChainFacts,
  atMs: number,
  graceUntilMs: number | null,
): Observation<ChainFacts> {
  return renewalSaid(facts, atMs, { inRetry: true, billingIssueAtMs: atMs, graceUntilMs });
}
