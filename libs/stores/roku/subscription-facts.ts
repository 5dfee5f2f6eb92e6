import {
  type CancelReason,
  type EndFacts,
  noSubscriptionFacts,
  type RefundFact,
  type Register,
  type RenewalFact,
  type ReplacedFact,
  type SubscriptionFacts,
} from '../../engine/index.js';
import { paidPeriods, type RokuPeriods } from './paid-periods.js';
import { isNewRefund, type RokuReport } from './report.js';
import { transactionKey } from './transaction-id.js';

const HOUR_MS = 3_600_000;
/** Access after a failed charge. Then the subscription is on hold for up to 57 days. */
export const GRACE_MS = 3 * 24 * HOUR_MS;
/** Charges take time: a renewal later than this is a billing issue. */
const CHARGE_TAKES_MS = HOUR_MS;

interface Course {
  renewal: RenewalFact;
  end: EndFacts;
}

const nothingPlanned: Omit<RenewalFact, 'periodKey' | 'autoRenew'> = {
  cancelledAtMs: null,
  nextProductId: null,
  inRetry: false,
  billingIssueAtMs: null,
  graceUntilMs: null,
  pauseScheduled: false,
  paused: false,
  autoResumeAtMs: null,
  cancelReason: null,
  ended: false,
};

/** Roku's report on the time after the latest period. */
function courseOf(
  { hints, successor, atMs }: RokuReport,
  known: SubscriptionFacts,
  periods: RokuPeriods,
): Course {
  const { latest, said } = periods;
  const { endMs } = latest;
  const isOver = endMs <= atMs;
  const before = known.ends?.[latest.key] ?? {};
  const knownGraceMs = before.grace?.value ?? null;
  const knownEndMs = before.expired?.value ?? null;
  const was = known.renewal?.value;
  const isSpell = was?.periodKey === latest.key && (was.inRetry || was.cancelReason === 'BILLING_ERROR');
  const at = <T>(value: T): Register<T> => ({ at: atMs, src: 'api', value });
  const renewal = (autoRenew: boolean, more: Partial<RenewalFact> = {}): RenewalFact => ({
    ...nothingPlanned,
    periodKey: latest.key,
    autoRenew,
    ...more,
  });
  /** Access ended no later than this poll. */
  const endedMs = Math.min(knownEndMs ?? atMs, knownGraceMs ?? Infinity, atMs);

  if (said.isEntitled && !said.isCancelled) {
    const nextProductId = nextProduct();
    const goesOn = nextProductId !== null || said.status !== 'pending_inactive';
    if (!isOver)
      return { renewal: renewal(goesOn, { nextProductId }), end: { grace: at(null), expired: at(null) } };
    const graceMs = endMs + GRACE_MS;
    const isLate = hints.inGrace || isSpell || atMs >= endMs + CHARGE_TAKES_MS;
    const trouble = isLate ? { inRetry: true, graceUntilMs: graceMs } : {};
    return {
      renewal: renewal(goesOn, { nextProductId, ...trouble }),
      end: { grace: at(graceMs), expired: at(null) },
    };
  }
  if (said.isEntitled) {
    const cancelReason: CancelReason = isSpell ? 'BILLING_ERROR' : 'UNSUBSCRIBE';
    // A planned downgrade ends this subscription as if it were cancelled.
    const nextProductId = nextProduct();
    const off = nextProductId === null ? { cancelReason } : { nextProductId };
    return { renewal: renewal(nextProductId !== null, off), end: { expired: at(null) } };
  }
  if (!said.isCancelled && isOver) {
    const heldMs = knownEndMs ?? (knownGraceMs === null ? endMs : endedMs);
    return { renewal: renewal(true, { inRetry: true }), end: { expired: at(heldMs) } };
  }
  // The customer lost access before the end: refunded, rented, or starting later. Dates decide.
  if (!said.isCancelled) return { renewal: renewal(true), end: { expired: at(null) } };
  const cancelReason: CancelReason = isSpell ? 'BILLING_ERROR' : 'UNSUBSCRIBE';
  const isCut = !isOver || isSpell || knownGraceMs !== null || knownEndMs !== null;
  return {
    renewal: renewal(false, { ended: true, cancelReason }),
    end: { expired: at(isCut ? endedMs : null) },
  };

  /** The product after the next renewal, as long as a change is planned. */
  function nextProduct(): string | null {
    if (successor) return successor.startMs === null ? successor.productId : null;
    const planned = was?.autoRenew === true ? was.nextProductId : null;
    return said.status === 'pending_inactive' ? planned : null;
  }
}

/** Null if nothing indicates that another subscription replaced it, or that a replacement was undone. */
function replacementOf(
  { successor, atMs }: RokuReport,
  known: SubscriptionFacts,
  { latest, said }: RokuPeriods,
): Pick<SubscriptionFacts, 'replaced' | 'continuations'> | null {
  const ownKey = said.subscriptionKey;
  const register = (value: ReplacedFact): Register<ReplacedFact> => ({ at: atMs, src: 'api', value });
  const by = known.replaced?.value ?? null;
  const isTaken = by !== null && by.byStoreKey !== null && by.ofKey !== by.byStoreKey;
  const isActive = said.isEntitled && !said.isCancelled && (said.status ?? 'active') === 'active';
  if (isActive && by !== null && isTaken) {
    // The other subscription ended: the trial of an upgrade that was cancelled.
    return {
      replaced: register({ ...by, ofKey: by.byStoreKey ?? '' }),
      continuations: { [ownKey]: { at: atMs, src: 'api', value: { sinceMs: atMs } } },
    };
  }
  if (successor !== null && successor.startMs !== null && !isActive) {
    const { subscriptionKey, productId, startMs } = successor;
    const value = { byStoreKey: subscriptionKey, atMs: startMs, byProductId: productId, ofKey: ownKey };
    return { replaced: register(value) };
  }
  const wasPlanned = known.renewal?.value.autoRenew === true && known.renewal.value.nextProductId !== null;
  if (wasPlanned && said.status === 'inactive' && latest.endMs <= atMs && by === null) {
    return { replaced: register({ byStoreKey: null, atMs: latest.endMs }) };
  }
  return null;
}

interface Priced {
  key: string;
  priceMicros: number | null;
  transactionKeys: string[];
}

function pricedPeriods({ all }: RokuPeriods, known: SubscriptionFacts): Priced[] {
  return all.map(({ key, fact }) => {
    const best = known.prices?.[key]?.value ?? fact?.price ?? known.periods[key]?.value.price;
    const named = fact?.storeTransactionId ?? known.periods[key]?.value.storeTransactionId ?? key;
    const priceMicros = fact?.price.amountMicros ?? best?.amountMicros ?? null;
    return { key, priceMicros, transactionKeys: [key, transactionKey(named)] };
  });
}

/**
 * Refunds. A refund of the whole price ends the latest period only when Roku no longer entitles it: "unauthorized"
 * purchases are also cancelled, others are only refunded.
 */
function refundsOf(
  { hints: { moneyBack }, atMs }: RokuReport,
  known: SubscriptionFacts,
  periods: RokuPeriods,
): SubscriptionFacts['refunds'] {
  const { latest, said } = periods;
  const priced = pricedPeriods(periods, known);
  const isShut = !said.isEntitled && latest.endMs > atMs && said.status !== 'pending_active';
  const refunds: SubscriptionFacts['refunds'] = {};
  const note = (key: string, value: RefundFact): void => {
    refunds[key] = { at: atMs, src: 'api', value };
  };
  const settle = (
    { key, priceMicros }: Priced,
    { totalMicros, timeMs, endsAccess }: { totalMicros: number; timeMs: number; endsAccess: boolean },
    refundKeys: string[] = [],
  ): void => {
    const isWhole = priceMicros !== null && priceMicros > 0 && totalMicros >= priceMicros;
    const isFull = isWhole && endsAccess && key === latest.key && isShut;
    note(key, {
      revokedAtMs: timeMs,
      kind: isFull ? 'full' : 'partial',
      amountMicros: isFull ? null : totalMicros,
      ...(refundKeys.length > 0 && { refundKeys }),
    });
  };
  const subject = moneyBack && subjectOf();
  if (moneyBack && subject) {
    const { amountMicros, endsAccess } = moneyBack;
    const before = known.refunds[subject.key]?.value;
    const timeMs = Math.min(moneyBack.atMs, atMs);
    const keys = before?.refundKeys ?? [];
    if (amountMicros === null) {
      const gone = { revokedAtMs: null, kind: 'partial', amountMicros: null } as const;
      if (before) note(subject.key, { ...gone, ...(keys.length > 0 && { refundKeys: keys }) });
    } else if (isNewRefund(moneyBack.key, timeMs, before && { ...before, atMs: before.revokedAtMs })) {
      const returned = before?.revokedAtMs === null ? 0 : (before?.amountMicros ?? 0);
      const latestMs = Math.max(timeMs, before?.revokedAtMs ?? timeMs);
      const refund = { totalMicros: returned + amountMicros, timeMs: latestMs, endsAccess };
      if (before?.kind !== 'full') settle(subject, refund, [...keys, moneyBack.key]);
    }
  }
  const ofLatest = priced.find(({ key }) => key === latest.key);
  const before = refunds[latest.key]?.value ?? known.refunds[latest.key]?.value;
  // A cancellation may follow the refund.
  if (ofLatest && isShut && before?.kind === 'partial' && before.revokedAtMs !== null) {
    const refund = { totalMicros: before.amountMicros ?? 0, timeMs: atMs, endsAccess: true };
    settle(ofLatest, refund, before.refundKeys);
    if (refunds[latest.key]?.value.kind !== 'full' && !subject) delete refunds[latest.key];
  }
  return refunds;

  /** Roku may name the first transaction for any refund. Once access is gone, it means the latest. */
  function subjectOf(): Priced | undefined {
    const last = priced.at(-1);
    const named = priced.find(({ transactionKeys }) => transactionKeys.includes(moneyBack?.ofKey ?? ''));
    const meansLatest = moneyBack?.endsAccess === true && moneyBack.ofKey === said.subscriptionKey && isShut;
    return meansLatest ? last : (named ?? last);
  }
}

/** Facts that were true at `report.atMs`, combined with known facts. Null until a period starts. */
export function subscriptionFacts(report: RokuReport, known: SubscriptionFacts): SubscriptionFacts | null {
  const { atMs } = report;
  const periods = paidPeriods(report, known);
  if (periods === null) return null;
  const { renewal, end } = courseOf(report, known, periods);
  const replacement = replacementOf(report, known, periods);
  const stated = periods.all.flatMap(({ key, fact }) =>
    fact === null ? [] : [[key, { at: atMs, src: 'api' as const, value: fact }] as const],
  );
  return {
    ...noSubscriptionFacts,
    periods: Object.fromEntries(stated),
    refunds: refundsOf(report, known, periods),
    renewal: { at: atMs, src: 'api', value: renewal },
    ends: { [periods.latest.key]: end },
    ...replacement,
  };
}

/**
 * Roku no longer knows the purchase. It voids purchases of test users, who paid nothing. A paid purchase gets the same
 * answer with the key of another account, so it stays unchanged.
 */
export function voidedFacts(known: SubscriptionFacts, atMs: number): SubscriptionFacts {
  const periods = Object.entries(known.periods).sort(([, a], [, b]) => a.value.startMs - b.value.startMs);
  const latest = periods.at(-1);
  const wasPaid = periods.some(([, { value }]) => value.kind !== 'trial' && value.price.amountMicros !== 0);
  if (!latest || wasPaid || known.renewal?.value.ended) return noSubscriptionFacts;
  const [periodKey, { value }] = latest;
  const endMs = known.ends?.[periodKey]?.expired?.value ?? Math.min(atMs, value.endMs ?? atMs);
  const over: RenewalFact = {
    ...nothingPlanned,
    periodKey,
    autoRenew: false,
    ended: true,
    cancelReason: 'UNKNOWN',
  };
  return {
    ...noSubscriptionFacts,
    renewal: { at: atMs, src: 'api', value: over },
    ends: { [periodKey]: { expired: { at: atMs, src: 'api', value: endMs } } },
  };
}
