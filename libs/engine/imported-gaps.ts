import { isSameJson } from '../kernel/index.js';
import { beats, priceBeats } from './statement-order.js';
import type {
  ImportedFacts,
  ImportedOneTimeFacts,
  KnownFields,
  PeriodFact,
  Register,
  RenewalFact,
} from './facts.model.js';

type AnyFields = Partial<Record<keyof KnownFields, Register<unknown>>>;
type Imported = Pick<ImportedFacts, 'periods' | 'renewal' | 'known'>;

/** Values that the latest reading of a period contains itself. */
function statedFields({ periods, renewal }: Imported, key: string): AnyFields {
  const fields: AnyFields = {};
  const period = periods[key];
  if (period) {
    const { at, src, value } = period;
    const { assumed = [], country, endMs, kind, ownership } = value;
    if (country !== null) fields.country = { at, src, value: country };
    if (!assumed.includes('endMs')) fields.endMs = { at, src, value: endMs };
    if (!assumed.includes('kind')) fields.kind = { at, src, value: kind };
    if (!assumed.includes('ownership')) fields.ownership = { at, src, value: ownership };
  }
  if (renewal?.value.periodKey === key) {
    const { at, src, value } = renewal;
    for (const field of ['cancelledAtMs', 'billingIssueAtMs'] as const) {
      if (value[field] !== null) fields[field] = { at, src, value: value[field] };
    }
  }
  return fields;
}

function newestFields(all: readonly AnyFields[]): AnyFields {
  const newest: AnyFields = {};
  for (const [field, register] of all.flatMap((fields) => Object.entries(fields)) as [
    keyof KnownFields,
    Register<unknown>,
  ][]) {
    const known = newest[field];
    if (!known || beats(register, known)) newest[field] = register;
  }
  return newest;
}

/** By period key: the newest value of each field that the latest reading (`winner`) omits. */
export function mergeKnownFields(a: Imported, b: Imported, winner: Imported): ImportedFacts['known'] {
  const merged: Record<string, KnownFields> = {};
  for (const key of Object.keys(winner.periods)) {
    const candidates = [a, b].flatMap((one) => [one.known?.[key] ?? {}, statedFields(one, key)]);
    const stated = statedFields(winner, key);
    const open = Object.entries(newestFields(candidates)).filter(([field]) => !Object.hasOwn(stated, field));
    if (open.length > 0) merged[key] = Object.fromEntries(open);
  }
  if (Object.keys(merged).length === 0) return undefined;
  return isSameJson(merged, a.known) ? a.known : merged;
}

function filledPeriod(
  period: Register<PeriodFact>,
  known: KnownFields,
  isRefunded: boolean,
): Register<PeriodFact> {
  const { assumed = [], ...value } = period.value;
  // A later end would contradict the access in the latest reading, unless a refund ends access anyway.
  const end = assumed.includes('endMs') ? (known.endMs?.value ?? null) : null;
  const endMs = end !== null && (isRefunded || end <= period.at) ? end : null;
  return {
    ...period,
    value: {
      ...value,
      country: value.country ?? known.country?.value ?? null,
      ...(endMs !== null && { endMs }),
      ...(endMs === null && assumed.includes('length') && { assumed: ['length'] }),
      ...(assumed.includes('kind') && known.kind && { kind: known.kind.value }),
      ...(assumed.includes('ownership') && known.ownership && { ownership: known.ownership.value }),
    },
  };
}

function filledRenewal(renewal: Register<RenewalFact>, known: KnownFields): Register<RenewalFact> {
  const { autoRenew, inRetry, cancelledAtMs, billingIssueAtMs } = renewal.value;
  return {
    ...renewal,
    value: {
      ...renewal.value,
      cancelledAtMs: cancelledAtMs ?? (autoRenew ? null : (known.cancelledAtMs?.value ?? null)),
      billingIssueAtMs: billingIssueAtMs ?? (inRetry ? (known.billingIssueAtMs?.value ?? null) : null),
    },
  };
}

/** The latest reading, with earlier values for the fields that it omits. */
export function withKnownFields({ known = {}, ...imported }: ImportedFacts): ImportedFacts {
  const { periods, refunds, renewal } = imported;
  const isRefunded = (key: string): boolean => (refunds[key]?.value.revokedAtMs ?? null) !== null;
  return {
    ...imported,
    periods: Object.fromEntries(
      Object.entries(periods).map(([key, period]) => [
        key,
        filledPeriod(period, known[key] ?? {}, isRefunded(key)),
      ]),
    ),
    renewal: renewal && filledRenewal(renewal, known[renewal.value.periodKey ?? ''] ?? {}),
  };
}

type ImportedPurchase = Pick<ImportedOneTimeFacts, 'purchase' | 'known'>;

function statedByPurchase({ purchase }: ImportedPurchase): NonNullable<ImportedOneTimeFacts['known']> {
  if (!purchase) return {};
  const { at, src, value } = purchase;
  return {
    ...(value.country !== null && { country: { at, src, value: value.country } }),
    ...(value.price.amountMicros !== null && { price: { at, src, value: value.price } }),
  };
}

/** Does the same as `mergeKnownFields` for a one-time purchase. */
export function mergeKnownPurchase(
  a: ImportedPurchase,
  b: ImportedPurchase,
  winner: ImportedPurchase,
): ImportedOneTimeFacts['known'] {
  const stated = statedByPurchase(winner);
  const all = [a, b].flatMap((one) => [one.known ?? {}, statedByPurchase(one)]);
  const newest = <T>(registers: (Register<T> | undefined)[], order: typeof beats<T>) =>
    registers.reduce((best, one) => (one && (!best || order(one, best)) ? one : best), undefined);
  const country = stated.country
    ? undefined
    : newest(
        all.map((fields) => fields.country),
        beats,
      );
  const price = stated.price
    ? undefined
    : newest(
        all.map((fields) => fields.price),
        priceBeats,
      );
  if (!country && !price) return undefined;
  const merged = { ...(country && { country }), ...(price && { price }) };
  return isSameJson(merged, a.known) ? a.known : merged;
}

/** Does the same as `withKnownFields` for a one-time purchase. */
export function withKnownPurchase({ known = {}, ...imported }: ImportedOneTimeFacts): ImportedOneTimeFacts {
  const { purchase } = imported;
  if (!purchase) return imported;
  const { value } = purchase;
  const country = value.country ?? known.country?.value ?? null;
  const price = value.price.amountMicros === null ? (known.price?.value ?? value.price) : value.price;
  return { ...imported, purchase: { ...purchase, value: { ...value, country, price } } };
}
