import { chargedAlone, chargedTogether, type KeyedAddOn, sumOf } from './add-ons.js';
import type { BookedExtra, EmittedState, MoveCounts, Subscription } from './model.js';
import type { EffectiveFacts } from './effective-facts.js';
import type { ExtraFact, PeriodFact, Register, SubscriptionFacts } from './facts.model.js';
import type { ChargeKind, LedgerEntry } from './outcome.model.js';
import { chargedPrice, type KeyedPeriod, purchasedAt, refundOf } from './periods.js';
import type { Price } from './enums.js';
import { unusedAtSwitch } from './purchase-switch.js';
import { chargeRefunds } from './seats.js';
import { chargedPeriods, type SubscriptionView } from './subscription-view.js';

export interface Booking {
  charged: Price;
  /** A positive amount; null if nothing was returned. */
  returned: { amountMicros: number | null; atMs: number } | null;
  /** Time of the statement that reported `returned`, or that nothing was returned. */
  returnSaidAtMs: number;
}

type Base = Omit<LedgerEntry, 'kind' | 'kindSeq' | 'price'>;

/** New rows of a period, and how many rows of each kind it has with them. */
interface Moved {
  rows: LedgerEntry[];
  counts: MoveCounts;
}

type Priced = Pick<PeriodFact, 'feeMicros' | 'price'>;

/** A fee counts as a share of a price. */
export function feeMark(sold: Priced | undefined): { isFeeKnown?: true } {
  return sold?.feeMicros !== undefined && sold.price.amountMicros !== 0 ? { isFeeKnown: true } : {};
}

/** Stores report their fee after the payment: what is left of a charge is booked again, with that commission. */
export function feeRows(
  base: Base,
  kind: 'correction' | 'proration',
  left: Price,
  counts: MoveCounts,
): Moved {
  const { amountMicros } = left;
  if (amountMicros === null || amountMicros === 0) return { rows: [], counts };
  const booked = { ...base };
  delete booked.isFeeKnown;
  const kindSeq = counts[kind] ?? 0;
  const row = { kind, rateAtMs: base.purchasedAtMs, rebooks: true as const };
  return {
    rows: [
      { ...booked, ...row, kindSeq, price: { ...left, amountMicros: -amountMicros } },
      { ...booked, ...row, kindSeq: kindSeq + 1, price: left, isFeeKnown: true },
    ],
    counts: { ...counts, [kind]: kindSeq + 2 },
  };
}

/** The charge less the returned amount; an unknown returned amount counts as zero. */
export function leftOf({ charged, returned }: Booking): Price {
  if (charged.amountMicros === null) return charged;
  return { ...charged, amountMicros: charged.amountMicros - (returned?.amountMicros ?? 0) };
}

/** Rows always sum to the charged amount less the returned amount. Unknown amounts count as zero. */
export function moveRows(base: Base, before: Booking, after: Booking, counts: MoveCounts): Moved {
  const rows: LedgerEntry[] = [];
  const next = { ...counts };
  const { currency, source } = after.charged;
  const add = (kind: keyof MoveCounts, price: Price, purchasedAtMs: number): void => {
    if (price.amountMicros === 0) return;
    const kindSeq = next[kind] ?? 0;
    next[kind] = kindSeq + 1;
    rows.push({ ...base, kind, kindSeq, price, purchasedAtMs, rateAtMs: base.purchasedAtMs });
  };
  const oldAmount = before.charged.amountMicros ?? 0;
  const newAmount = after.charged.amountMicros ?? 0;
  const moved = oldAmount !== 0 && newAmount !== 0 && before.charged.currency !== currency;
  if (moved) add('correction', { ...before.charged, amountMicros: -oldAmount }, base.purchasedAtMs);
  add(
    'correction',
    {
      amountMicros: moved ? newAmount : newAmount - oldAmount,
      currency: newAmount === 0 ? before.charged.currency : currency,
      source,
    },
    base.purchasedAtMs,
  );
  const was = before.returned;
  const is = after.returned;
  const back = (amountMicros: number | null, atMs: number): void =>
    add('refund', { amountMicros: amountMicros === null ? null : -amountMicros, currency, source }, atMs);
  const again = (amountMicros: number | null): void =>
    add('refund_reversal', { ...before.charged, amountMicros }, after.returnSaidAtMs);
  if (was && (!is || moved)) again(was.amountMicros);
  if (is && (!was || moved)) back(is.amountMicros, is.atMs);
  if (is && was && !moved) {
    const more = (is.amountMicros ?? 0) - (was.amountMicros ?? 0);
    if (more > 0) back(more, is.atMs);
    else if (more < 0) again(-more);
  }
  return { rows, counts: next };
}

/** The returned part of a price, never more than the price. */
export function returnedAmount(
  charged: number | null,
  stated: number | null | undefined,
  share: number | null,
): number | null {
  if (charged === null) return stated ?? null;
  return Math.min(charged, stated ?? (share === null ? charged : Math.round(charged * share)));
}

/** Adds the extras of the same charge, which are not part of a price: a refund returns them as well. */
function withExtras(
  { extras }: SubscriptionFacts,
  chargeKey: string,
  { amountMicros }: Price,
): number | null {
  if (!extras || amountMicros === null) return amountMicros;
  return Object.values(extras)
    .filter(({ value }) => value.chargeKey === chargeKey)
    .reduce((sum, { value }) => sum + (value.price.amountMicros ?? 0), amountMicros);
}

function bookingOf(facts: EffectiveFacts, key: string, charged: Price): Booking {
  const refunds = chargeRefunds(facts);
  const returnSaidAtMs = refunds[key]?.at ?? 0;
  const refund = refundOf({ refunds }, key);
  // A family member never paid, so there is nothing to book.
  if (!refund || refund.kind === 'family') return { charged, returned: null, returnSaidAtMs };
  const { milliPercent, amountMicros: stated } = refund;
  const share =
    typeof milliPercent === 'number' ? milliPercent / 100_000 : unusedAtSwitch(facts, key, refund);
  const unknownPart = refund.kind !== 'full' && stated === null && share === null;
  const total = withExtras(facts, key, charged);
  const amountMicros = unknownPart ? null : returnedAmount(total, stated, share);
  return {
    charged,
    returned: amountMicros === 0 ? null : { amountMicros, atMs: refund.revokedAtMs },
    returnSaidAtMs,
  };
}

function chargeKind(period: KeyedPeriod): ChargeKind | 'proration' {
  if (period.additionTo !== undefined) return 'proration';
  if (period.kind === 'trial') return 'trial_start';
  return period.isRenewal ? 'renewal' : 'purchase';
}

function periodBase(
  period: KeyedPeriod,
  { booked, facts }: Partial<Pick<LedgerBasis, 'booked' | 'facts'>> = {},
): Base {
  return {
    ...feeMark(facts?.periods[period.key]?.value),
    periodKey: booked?.[period.key] ?? period.key,
    storeIds: [period.storeTransactionId],
    storeProductId: period.storeProductId,
    planId: period.planId,
    quantity: period.quantity,
    purchasedAtMs: purchasedAt(period),
    expiresAtMs: period.endMs,
    periodType: period.kind,
    ownership: period.ownership,
    country: period.country,
  };
}

/** The price of a whole period must be convertible before the charge is known. */
function rateOfValue({ terms }: KeyedPeriod, { amountMicros }: Price): Pick<LedgerEntry, 'rateCurrency'> {
  const rateCurrency = terms?.[0]?.currency;
  return amountMicros === null && rateCurrency !== undefined ? { rateCurrency } : {};
}

export interface LedgerBasis {
  facts: EffectiveFacts;
  periods: KeyedPeriod[];
  addOns: readonly KeyedAddOn[];
  /** Keys of the periods and add-ons whose charge is in the ledger. */
  opened: readonly string[];
  /** See `EmittedState`. */
  booked?: EmittedState['booked'];
}

/** The amount that the refund of a charge returned, as a positive amount; null if unknown. */
export function returnedPrice(facts: EffectiveFacts, key: string, charged: Price): Price {
  const { returned } = bookingOf(facts, key, charged);
  return { ...charged, amountMicros: returned === null ? 0 : returned.amountMicros };
}

function soldAs({ periods, additions }: EffectiveFacts, key: string): Register<PeriodFact> | undefined {
  return periods[key] ?? additions?.[key]?.register;
}

/** Whether a period's amounts are unchanged. Merging reuses unchanged statement objects. */
function isUnchanged(
  old: KeyedPeriod,
  period: KeyedPeriod,
  before: EffectiveFacts,
  after: EffectiveFacts,
): boolean {
  const { key } = period;
  const [oldRefund, refund] = [chargeRefunds(before)[key], chargeRefunds(after)[key]];
  const sameShare = before.extras === after.extras && before.continuations === after.continuations;
  const sameRefund = oldRefund === refund && (refund === undefined || sameShare);
  const sameAddOns = !after.addOns || (before.addOns === after.addOns && before.prices === after.prices);
  return sameRefund && sameAddOns && soldAs(before, key) === soldAs(after, key) && old.price === period.price;
}

/** A charge that paid only for add-ons: one row for all of them, under the key of the charge. */
interface AddOnCharge {
  chargeKey: string;
  base: Base;
  kind: ChargeKind | 'proration';
  charged: Price;
}

function addOnCharges({ facts, addOns, opened }: LedgerBasis): Map<string, AddOnCharge> {
  const charges = new Map<string, AddOnCharge>();
  if (addOns.length === 0) return charges;
  for (const [chargeKey, together] of chargedAlone(facts, addOns)) {
    const first = together.find(({ key }) => opened.includes(key));
    const charged = sumOf(together.map(chargedPrice));
    // Another purchase had already paid for these.
    if (!first || charged.amountMicros === 0) continue;
    const base = { ...periodBase(first), periodKey: `${chargeKey}+` };
    charges.set(chargeKey, { chargeKey, base, kind: chargeKind(first), charged });
  }
  return charges;
}

const nothing: Booking = {
  charged: { amountMicros: 0, currency: null, source: 'store' },
  returned: null,
  returnSaidAtMs: 0,
};

/** New add-on charges, each under its own key. They are not ledger rows: the ledger has one row per charge. */
export function addOnSales({ addOns, opened }: LedgerBasis, after: LedgerBasis): LedgerEntry[] {
  if (after.addOns === addOns) return [];
  return after.addOns
    .filter(({ key }) => after.opened.includes(key) && !opened.includes(key))
    .filter((addOn) => addOn.kind === 'trial' || chargedPrice(addOn).amountMicros !== 0)
    .map((addOn) => ({
      ...periodBase(addOn),
      kind: chargeKind(addOn),
      kindSeq: 0,
      price: chargedPrice(addOn),
    }));
}

/** Reverses charges that another ledger row already contains. */
export function takenBack(
  view: Pick<SubscriptionView, 'facts' | 'all' | 'additions' | 'addOns'>,
  keys: readonly string[],
  { booked }: Pick<LedgerBasis, 'booked'>,
  moves: EmittedState['moves'],
): { rows: LedgerEntry[]; moves: EmittedState['moves'] } {
  const { facts, addOns } = view;
  let counts = moves;
  const rows: LedgerEntry[] = [];
  for (const period of chargedPeriods(view).filter(({ key }) => keys.includes(key))) {
    const base = periodBase(period, { booked, facts });
    const then = bookingOf(facts, period.key, chargedTogether(period, addOns));
    const moved = moveRows(base, then, nothing, counts?.[base.periodKey] ?? {});
    rows.push(...moved.rows);
    if (moved.rows.length > 0) counts = { ...counts, [base.periodKey]: moved.counts };
  }
  return { rows, moves: counts };
}

function extraBase(key: string, extra: ExtraFact): Base {
  const { storeProductId, planId, paidAtMs, storeTransactionId, country } = extra;
  return {
    periodKey: key,
    storeIds: [storeTransactionId],
    storeProductId,
    planId,
    country,
    quantity: 1,
    purchasedAtMs: paidAtMs,
    expiresAtMs: null,
    periodType: 'normal',
    ownership: 'purchased',
    ...feeMark(extra),
  };
}

/** Adds the differences between the extras in the ledger and those in the facts. */
export function extraLedger(
  { extras = {} }: SubscriptionFacts,
  { extras: booked, moves }: Pick<EmittedState, 'extras' | 'moves'>,
): Pick<EmittedState, 'extras' | 'moves'> & { rows: LedgerEntry[] } {
  const rows: LedgerEntry[] = [];
  let [held, counts] = [booked, moves];
  for (const [key, { value }] of Object.entries(extras)) {
    const { amountMicros, currency } = value.price;
    const base = extraBase(key, value);
    const before: BookedExtra = held?.[key] ?? { amountMicros: 0, currency };
    if (base.isFeeKnown && !before.isFeeKnown) {
      const rebooked = feeRows(base, 'proration', { ...value.price, ...before }, counts?.[key] ?? {});
      rows.push(...rebooked.rows);
      counts = { ...counts, [key]: rebooked.counts };
    }
    const isOther = before.currency !== currency;
    const changes: (number | null)[] = isOther
      ? [-(before.amountMicros ?? 0), amountMicros]
      : [(amountMicros ?? 0) - (before.amountMicros ?? 0)];
    for (const [index, change] of changes.entries()) {
      if (change === 0) continue;
      const kindSeq = counts?.[key]?.proration ?? 0;
      counts = { ...counts, [key]: { ...counts?.[key], proration: kindSeq + 1 } };
      const price = {
        ...value.price,
        amountMicros: change,
        currency: isOther && index === 0 ? before.currency : currency,
      };
      rows.push({ ...base, kind: 'proration', kindSeq, price });
    }
    const isFeeKnown = base.isFeeKnown ?? before.isFeeKnown;
    if (isOther || before.amountMicros !== amountMicros || before.isFeeKnown !== isFeeKnown)
      held = { ...held, [key]: { amountMicros, currency, ...(isFeeKnown && { isFeeKnown }) } };
  }
  return { rows, ...(held && { extras: held }), ...(counts && { moves: counts }) };
}

/** A grant has no charges. */
export function subscriptionLedger(
  subscription: Pick<Subscription, 'store'>,
  before: LedgerBasis,
  after: LedgerBasis,
  emitted: Pick<EmittedState, 'moves' | 'fees'>,
): Pick<EmittedState, 'moves' | 'fees'> & { rows: LedgerEntry[] } {
  if (subscription.store === 'promotional') return { ...emitted, rows: [] };
  const earlier = new Map(before.periods.map((period) => [period.key, period]));
  const booked = new Set(before.opened);
  const opened = new Set(after.opened);
  const rows: LedgerEntry[] = [];
  let { moves: counts, fees = [] } = emitted;
  const countsOf = ({ periodKey }: Base): MoveCounts => counts?.[periodKey] ?? {};
  const add = ({ periodKey }: Base, moved: Moved): void => {
    if (moved.rows.length === 0) return;
    rows.push(...moved.rows);
    counts = { ...counts, [periodKey]: moved.counts };
  };
  const lead = (base: Base, then: Booking, now: Booking): void =>
    add(base, moveRows(base, then, now, countsOf(base)));
  const unreturned = (charged: Price): Booking => ({ charged, returned: null, returnSaidAtMs: 0 });
  for (const period of after.periods) {
    if (!opened.has(period.key)) continue;
    const old = booked.has(period.key) ? earlier.get(period.key) : undefined;
    if (old && isUnchanged(old, period, before.facts, after.facts)) continue;
    const base = periodBase(period, after);
    const now = bookingOf(after.facts, period.key, chargedTogether(period, after.addOns));
    // A period already matched to another one has its row.
    const isNew = !old && (before.facts.takenOver === undefined || counts?.[base.periodKey] === undefined);
    if (isNew) {
      const rate = rateOfValue(period, now.charged);
      rows.push({ ...base, ...rate, kind: chargeKind(period), kindSeq: 0, price: now.charged });
    }
    const known = old && bookingOf(before.facts, old.key, chargedTogether(old, before.addOns));
    const then = known ?? (isNew ? unreturned(now.charged) : nothing);
    if (base.isFeeKnown && !fees.includes(base.periodKey)) {
      if (!isNew) add(base, feeRows(base, 'correction', leftOf(then), countsOf(base)));
      fees = [...fees, base.periodKey];
    }
    lead(base, then, now);
  }
  // An imported period that turns out to be another one was charged once.
  if (after.facts.takenOver) {
    const left = new Set(after.periods.map(({ key }) => key));
    for (const old of before.periods) {
      if (left.has(old.key) || !booked.has(old.key)) continue;
      const then = bookingOf(before.facts, old.key, chargedTogether(old, before.addOns));
      lead(periodBase(old, before), then, nothing);
    }
  }
  const [oldCharges, newCharges] = [addOnCharges(before), addOnCharges(after)];
  for (const { chargeKey, base, kind, charged } of newCharges.values()) {
    const old = oldCharges.get(chargeKey);
    const now = bookingOf(after.facts, chargeKey, charged);
    const isNew = !old && counts?.[base.periodKey] === undefined;
    if (isNew) rows.push({ ...base, kind, kindSeq: 0, price: charged });
    const then = old
      ? bookingOf(before.facts, chargeKey, old.charged)
      : isNew
        ? unreturned(charged)
        : nothing;
    lead(base, then, now);
  }
  // If a charge turns out to have paid for a period too, that period's row contains it.
  for (const { chargeKey, base, charged } of oldCharges.values()) {
    if (!newCharges.has(chargeKey)) lead(base, bookingOf(before.facts, chargeKey, charged), nothing);
  }
  return { rows, moves: counts, ...(fees.length > 0 && { fees }) };
}
