import type { OneTimeFacts, SubscriptionFacts } from '../../../libs/engine/index.js';
import type { Charge } from '../../../libs/external-reports/index.js';
import type { ChargeRow } from '../transactions/transactions.repository.js';

const PERIODS = new Set(['purchase', 'trial_start', 'renewal']);
/** Add-ons that were paid for without a period have the key of their payment with this suffix. */
const ALONE = /\+$/;

function isSubscription(facts: SubscriptionFacts | OneTimeFacts): facts is SubscriptionFacts {
  return 'periods' in facts;
}

/** Unknown if one part is. */
function sumOf(taxes: readonly (number | undefined)[]): number | null {
  return taxes.length === 0 || taxes.includes(undefined)
    ? null
    : taxes.reduce<number>((sum, tax) => sum + (tax ?? 0), 0);
}

/** The tax within a charge, as its store reported it. One charge pays for a period and its add-ons. */
function taxOf({ periodKey, kind }: ChargeRow, facts: SubscriptionFacts | OneTimeFacts): number | null {
  if (!isSubscription(facts)) return kind === 'one_time' ? (facts.purchase?.value.taxMicros ?? null) : null;
  const extra = facts.extras?.[periodKey]?.value;
  if (kind === 'proration' && extra) return extra.taxMicros ?? null;
  if (!PERIODS.has(kind) && kind !== 'proration') return null;
  const chargeKey = periodKey.replace(ALONE, '');
  const period = ALONE.test(periodKey) ? undefined : facts.periods[periodKey]?.value;
  const addOns = Object.values(facts.addOns ?? {}).filter(({ value }) => value.chargeKey === chargeKey);
  return sumOf(
    [...(period ? [period] : []), ...addOns.map(({ value }) => value)].map((one) => one.taxMicros),
  );
}

/** Two rows that only change the commission: the first takes the charge back, the second books it again. */
function rebooks(row: ChargeRow, rows: readonly ChargeRow[]): boolean {
  return rows.some(
    (other) =>
      other.kind === row.kind &&
      other.periodKey === row.periodKey &&
      Math.abs(other.kindSeq - row.kindSeq) === 1 &&
      other.recordedAt.getTime() === row.recordedAt.getTime() &&
      row.amountMicros !== null &&
      other.amountMicros === -row.amountMicros,
  );
}

/** The ledger rows of one purchase as charges to report, oldest first. */
export function chargesOf(rows: readonly ChargeRow[], facts: SubscriptionFacts | OneTimeFacts): Charge[] {
  return rows.map((row): Charge => {
    const { id, kind, periodKey, storeTransactionId, purchasedAt, expiresAt } = row;
    const period = isSubscription(facts) ? facts.periods[periodKey]?.value : undefined;
    const atMs = purchasedAt.getTime();
    return {
      sourceKey: id,
      kind,
      periodKey,
      transactionId: storeTransactionId,
      atMs,
      productId: row.storeProductId ?? '',
      quantity: row.quantity,
      amountMicros: row.amountMicros,
      currency: row.currency,
      taxMicros: taxOf(row, facts),
      country: row.country,
      region: null,
      period: PERIODS.has(kind)
        ? { startMs: period?.startMs ?? atMs, endMs: period?.endMs ?? expiresAt?.getTime() ?? null }
        : null,
      ...((kind === 'correction' || kind === 'proration') && rebooks(row, rows) && { rebooks: true }),
    };
  });
}
