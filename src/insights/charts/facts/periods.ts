import { type HintFact, type OfferFact, offerOf } from '../../../../libs/engine/index.js';
import { shareMicros } from '../../../../libs/money/index.js';
import { lengthBetween, lengthOfDuration } from './billing-length.js';
import { isProrated, planSpans, type PlanSpan, soldParts, usdOf } from './plan-spans.js';
import { MONTHLY_PARTS } from './chart-facts.js';
import type {
  ChartEnrollment,
  ChartLedgerRow,
  ChartSubscription,
  CustomerSource,
  FindProduct,
} from './source.model.js';

const UNITS_PER_MONTH = 60;
const UNITS_PER_WEEK = 15;
const UNITS_PER_DAY = 2;

/** The context that selected a purchase's offering; empty strings if there is none. */
export interface ShownIn {
  placement: string;
  targetingRule: string;
  experiment: string;
  /** Includes the experiment, as `experiment:variant`. */
  experimentVariant: string;
}

/** Facts that predate the storage of offers have only a code. */
export interface ChartOffer {
  type: OfferFact['type'] | 'unspecified_offer';
  id: string | null;
}

/** One billing period of a subscription, or one one-time purchase, with its ledger rows. */
export interface ChartPeriod {
  purchaseId: string;
  periodKey: string;
  rows: ChartLedgerRow[];
  opening: ChartLedgerRow;
  /** Includes the plan, as `product:plan`. */
  storeProductId: string;
  productId: string;
  duration: string;
  lengthUnits: number;
  offering: string;
  shownIn: ShownIn;
  /** The store's name of the offer; null without one. */
  offer: ChartOffer | null;
  startsAtMs: number;
  /** End of access; null if it never ends. */
  endsAtMs: number | null;
  /** The period's own end. */
  paidUntilMs: number | null;
  /** Whether it sells the same product as the previous part of the period, with another quantity, price or add-on. */
  isSameProduct: boolean;
  /** `paid` for paid periods that gave access. */
  access: 'none' | 'trial' | 'paid';
  isPaidTransaction: boolean;
  /** The store's share, which a fee reported later corrects. */
  commissionBps: number;
  /** The price of a whole period, in its currency. */
  priceMicros: number;
  /** USD charged for the period. */
  usdChargeMicros: number;
  monthlyMicros: number;
  /** The rest that `monthlyMicros` rounds off, in parts of a micro. */
  monthlyFraction: number;
  /** End of access that a replacement moved; undefined if none did. */
  ownEndsAtMs?: number | null;
}

export const openingKinds: ReadonlySet<string> = new Set(['purchase', 'trial_start', 'renewal', 'one_time']);
const paidKinds = new Set(['purchase', 'renewal', 'one_time']);
const priceKinds = new Set(['purchase', 'renewal', 'one_time', 'correction']);

export function isCounted({ ownership, store }: ChartLedgerRow): boolean {
  return ownership === 'purchased' && store !== 'promotional';
}

/** Rounds half away from zero. */
export function monthlyMicros(priceMicros: number, lengthUnits: number): number {
  if (lengthUnits === 0) return 0;
  const value = (Math.abs(priceMicros) * UNITS_PER_MONTH) / lengthUnits;
  return Math.sign(priceMicros) * Math.round(value) || 0;
}

/** Returns the difference between the exact monthly price and its micros, in parts of a micro. */
export function monthlyFraction(priceMicros: number, lengthUnits: number): number {
  if (lengthUnits === 0) return 0;
  const rest = priceMicros * UNITS_PER_MONTH - monthlyMicros(priceMicros, lengthUnits) * lengthUnits;
  return Math.round((rest * MONTHLY_PARTS) / lengthUnits) || 0;
}

/** Returns ISO 8601, or an empty string without a length. */
export function durationOf(units: number): string {
  if (units === 0) return '';
  if (units % (12 * UNITS_PER_MONTH) === 0) return `P${units / (12 * UNITS_PER_MONTH)}Y`;
  if (units % UNITS_PER_MONTH === 0) return `P${units / UNITS_PER_MONTH}M`;
  if (units % UNITS_PER_WEEK === 0) return `P${units / UNITS_PER_WEEK}W`;
  return `P${units / UNITS_PER_DAY}D`;
}

export function shareOf(micros: number, bps: number): number {
  return shareMicros(micros, bps) || 0;
}

function grouped(ledger: ChartLedgerRow[]): ChartLedgerRow[][] {
  const groups = new Map<string, ChartLedgerRow[]>();
  for (const row of ledger) {
    const key = `${row.purchaseId}\n${row.periodKey}`;
    const rows = groups.get(key);
    if (rows) rows.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

/** A trial ends at its own end, even if the store extends access with a grace period. */
function endOf(opening: ChartLedgerRow, span: PlanSpan): number | null {
  if (opening.periodType !== 'trial' || span.periodEndMs === null || span.endMs === null) return span.endMs;
  return Math.min(span.endMs, span.periodEndMs);
}

interface SubscriptionContext {
  spans: Map<string, PlanSpan>;
  offering: string;
  hints: HintFact | undefined;
  offers: Map<string, ChartOffer>;
}

function contextOf({ facts }: ChartSubscription): SubscriptionContext {
  return {
    spans: new Map(planSpans(facts).map((span) => [span.periodKey, span])),
    hints: facts.hints?.value,
    offering:
      facts.hints?.value.presentedOfferingId ?? facts.imported?.hints?.value.presentedOfferingId ?? '',
    offers: new Map(
      Object.entries({ ...facts.imported?.periods, ...facts.periods }).flatMap(
        ([key, { value }]): [string, ChartOffer][] => {
          const offer = offerOf(value);
          return offer ? [[key, offer]] : [];
        },
      ),
    ),
  };
}

function commissionOf(rows: ChartLedgerRow[], opening: ChartLedgerRow): number {
  const corrections = rows.filter(({ kind }) => kind === 'correction');
  return corrections.sort((a, b) => a.kindSeq - b.kindSeq).at(-1)?.commissionBps ?? opening.commissionBps;
}

/** Returns several periods if the product changed within the period. The first one has the money. */
function periodsOf(
  rows: ChartLedgerRow[],
  subscription: SubscriptionContext | undefined,
  hints: HintFact | undefined,
  joined: ChartEnrollment | undefined,
  find: FindProduct,
): ChartPeriod[] {
  const opening = rows.find(({ kind, kindSeq }) => openingKinds.has(kind) && kindSeq === 0) ?? rows[0];
  if (!opening || !isCounted(opening)) return [];
  const { periodKey, purchaseId, purchasedAtMs } = opening;
  const span = subscription?.spans.get(periodKey);
  const startsAtMs = span?.isPaidAhead ? span.startMs : purchasedAtMs;
  const endsAtMs = span ? endOf(opening, span) : null;
  const hasAccess = span !== undefined && (endsAtMs === null || endsAtMs > startsAtMs);
  const isTrial = opening.periodType === 'trial';
  const storeProductId = [opening.storeProductId ?? '', ...(span?.planId ? [span.planId] : [])].join(':');
  const appId = opening.appId ?? '';
  const charged = rows.filter(({ kind }) => priceKinds.has(kind));
  const usdChargeMicros = charged.reduce((sum, { usdMicros }) => sum + (usdMicros ?? 0), 0);
  const chargeMicros = charged.reduce((sum, { amountMicros }) => sum + (amountMicros ?? 0), 0);
  const whole = { storeProductId, startsAtMs, endsAtMs: hasAccess ? endsAtMs : null };
  const commissionBps = commissionOf(rows, opening);
  const parts = span && hasAccess ? soldParts(span, whole) : [{ ...whole, valueMicros: null }];
  return parts.map(({ valueMicros, ...part }, index) => {
    const product = find(appId, part.storeProductId);
    const ownUnits = lengthBetween(startsAtMs, opening.expiresAtMs);
    const named = product?.duration ? lengthOfDuration(product.duration) : null;
    const lengthUnits = named ?? (isProrated(parts) ? 0 : ownUnits);
    const usdMicros = valueMicros === null ? usdChargeMicros : usdOf(valueMicros, rows);
    const unknownId = part.storeProductId === '' ? '' : `${appId}/${part.storeProductId}`;
    return {
      purchaseId,
      periodKey: index === 0 ? periodKey : `${periodKey}#${index}`,
      rows: index === 0 ? rows : [],
      opening,
      ...part,
      productId: product?.productId ?? unknownId,
      duration: opening.isOneTime ? '' : (product?.duration ?? durationOf(ownUnits)),
      lengthUnits,
      offering: subscription?.offering ?? hints?.presentedOfferingId ?? '',
      shownIn: shownIn(subscription ? subscription.hints : hints, joined),
      offer: subscription?.offers.get(periodKey) ?? null,
      paidUntilMs: span?.periodEndMs ?? null,
      isSameProduct: index > 0 && part.storeProductId === parts[index - 1]?.storeProductId,
      access: hasAccess ? (isTrial ? 'trial' : 'paid') : 'none',
      isPaidTransaction: index === 0 && paidKinds.has(opening.kind) && opening.amountMicros !== 0,
      commissionBps,
      priceMicros: valueMicros ?? chargeMicros,
      usdChargeMicros,
      monthlyMicros: monthlyMicros(usdMicros, lengthUnits),
      monthlyFraction: monthlyFraction(usdMicros, lengthUnits),
    };
  });
}

function shownIn(hints: HintFact | undefined, joined: ChartEnrollment | undefined): ShownIn {
  return {
    placement: hints?.presentedPlacementId ?? '',
    targetingRule: hints?.targetingRule?.id ?? '',
    experiment: joined?.experimentId ?? '',
    experimentVariant: joined ? `${joined.experimentId}:${joined.variant}` : '',
  };
}

/** Tolerates store clocks that are slow. */
const CLOCK_LEEWAY_MS = 60_000;

/**
 * Returns each purchase's experiment: the customer's enrollment when the purchase started, or none if it started before
 * the customer joined.
 */
function experimentsOf(
  ledger: ChartLedgerRow[],
  enrollments: readonly ChartEnrollment[],
): Map<string, ChartEnrollment | undefined> {
  const begun = new Map<string, number>();
  for (const { purchaseId, purchasedAtMs } of ledger) {
    begun.set(purchaseId, Math.min(begun.get(purchaseId) ?? Infinity, purchasedAtMs));
  }
  const newestFirst = [...enrollments].sort((a, b) => b.enrolledAtMs - a.enrolledAtMs);
  return new Map(
    [...begun].map(([purchaseId, atMs]) => [
      purchaseId,
      newestFirst.find(
        ({ enrolledAtMs, endedAtMs }) =>
          enrolledAtMs - CLOCK_LEEWAY_MS <= atMs && (endedAtMs === null || atMs < endedAtMs),
      ),
    ]),
  );
}

/** Returns the periods of some purchases, in no particular order. */
export function chartPeriods(
  ledger: ChartLedgerRow[],
  subscriptions: ChartSubscription[],
  { oneTime, enrollments }: Pick<CustomerSource, 'oneTime' | 'enrollments'>,
  find: FindProduct,
): ChartPeriod[] {
  const hints = new Map(oneTime.map((purchase) => [purchase.id, purchase.hints ?? undefined]));
  const joined = experimentsOf(ledger, enrollments);
  const contexts = new Map(subscriptions.map((one) => [one.id, contextOf(one)]));
  return grouped(ledger).flatMap((rows) => {
    const id = rows[0]?.purchaseId ?? '';
    return periodsOf(rows, contexts.get(id), hints.get(id), joined.get(id), find);
  });
}
