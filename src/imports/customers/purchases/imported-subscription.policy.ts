import {
  type EndFacts,
  type Environment,
  type ImportedFacts,
  noSubscriptionFacts,
  type PeriodFact,
  type Register,
  type RenewalFact,
  type Store,
  type SubscriptionFacts,
} from '../../../../libs/engine/index.js';
import { type DurationOf, type ImportedPeriod, keyOf, periodsOf } from './imported-periods.policy.js';
import type { ImportedSubscriptionDto } from '../imported-subscription.dto.js';

const DAY_MS = 86_400_000;
export interface ReadingTerms {
  asOfMs: number;
  holdDays: number;
  durationOf: DurationOf;
}

/** An item's data about one subscription at its store. */
export interface ReadSubscription {
  store: Store;
  environment: Environment;
  storeKey: string;
  facts: SubscriptionFacts;
  /** All ids under which the store may know it. */
  names: string[];
}

function renewalOf(item: ImportedSubscriptionDto, key: string, graceMs: number | null): RenewalFact {
  const { status, auto_renewal_status: renewal = 'will_not_renew' } = item;
  const inRetry = status === 'in_billing_retry' || status === 'in_grace_period';
  const isOver = status === 'expired';
  return {
    periodKey: key,
    autoRenew: !isOver && (inRetry || status === 'paused' || renewal !== 'will_not_renew'),
    cancelledAtMs: item.unsubscribe_detected_at ?? null,
    nextProductId: null,
    inRetry,
    billingIssueAtMs: item.billing_issues_detected_at ?? null,
    graceUntilMs: status === 'in_grace_period' ? graceMs : null,
    pauseScheduled: renewal === 'will_pause' && status !== 'paused',
    paused: status === 'paused',
    autoResumeAtMs: item.auto_resume_at ?? null,
    ended: isOver,
  };
}

/** The latest past time in the item. Ignores when the item was read, so that a second import yields the same result. */
function lastKnown(item: ImportedSubscriptionDto, asOfMs: number): number {
  const times = [
    item.starts_at,
    item.current_period_starts_at,
    item.current_period_ends_at,
    item.refunded_at,
    item.unsubscribe_detected_at,
    item.billing_issues_detected_at,
    item.grace_period_expires_at,
    ...(item.transactions ?? []).map(({ expires_at }) => expires_at),
  ];
  return Math.max(0, ...times.filter((time) => typeof time === 'number').filter((time) => time <= asOfMs));
}

const noAccess: ReadonlySet<string> = new Set(['in_billing_retry', 'paused', 'expired']);

/** The end of the subscription's period, if later than the paid end in the period's transaction. */
function laterEnd({ status, current_period_ends_at: endMs }: ImportedSubscriptionDto, current: PeriodFact) {
  // In grace, this is the end of grace, which is recorded as such.
  if (status === 'in_grace_period' || !endMs || current.endMs === null) return null;
  return endMs > current.endMs ? endMs : null;
}

/**
 * The end of access if it differs from the end of the period: grace, an early end, or an extension by the other system.
 */
function endsOf(
  item: ImportedSubscriptionDto,
  current: PeriodFact,
  { asOfMs, holdDays }: ReadingTerms,
): { ends: EndFacts; graceMs: number | null } {
  const { status = '', gives_access: givesAccess } = item;
  const endMs = item.ends_at ?? laterEnd(item, current);
  const said = (value: number): Register<number> => ({ at: asOfMs, src: 'import', value });
  const graceMs = endMs ?? item.grace_period_expires_at ?? item.current_period_ends_at ?? null;
  if (givesAccess === false || (noAccess.has(status) && givesAccess !== true)) {
    const early = Math.min(endMs ?? Infinity, lastKnown(item, asOfMs));
    const isEarly = current.endMs === null || current.endMs > early;
    return { ends: isEarly ? { expired: said(early) } : {}, graceMs };
  }
  if (noAccess.has(status)) {
    const until = Math.max(endMs ?? 0, current.endMs ?? 0);
    return { ends: { grace: said(until > asOfMs ? until : until + holdDays * DAY_MS) }, graceMs };
  }
  if (endMs === null || current.endMs === null || endMs === current.endMs) return { ends: {}, graceMs };
  return { ends: endMs > current.endMs ? { grace: said(endMs) } : { expired: said(endMs) }, graceMs };
}

/**
 * Extends access while the purchase token is missing, because the store cannot be asked about the renewal without it.
 */
function heldUntil(
  item: ImportedSubscriptionDto,
  storeKey: string,
  current: PeriodFact,
  { holdDays }: ReadingTerms,
): number | null {
  const { status = '', auto_renewal_status: renewal, gives_access: givesAccess } = item;
  const isWaiting = item.store === 'play_store' && item.purchase_token === undefined && storeKey !== '';
  const gaveAccess = givesAccess ?? !noAccess.has(status);
  const renews = renewal !== undefined && renewal !== 'will_not_renew';
  return isWaiting && gaveAccess && renews && current.endMs !== null
    ? current.endMs + holdDays * DAY_MS
    : null;
}

/** Facts of an item that has dates. */
export function readSubscription(item: ImportedSubscriptionDto, terms: ReadingTerms): ReadSubscription {
  const { asOfMs } = terms;
  const { storeKey, isGuessed } = keyOf(item);
  const register = <T>(value: T): Register<T> => ({ at: asOfMs, src: 'import', value });
  const periods = periodsOf(item, storeKey, terms.durationOf);
  const current = periods.at(-1) as ImportedPeriod;
  if (item.status === 'paused' && current.value.endMs === null) {
    current.value.endMs = Math.max(current.value.startMs, lastKnown(item, asOfMs));
    current.value.assumed = [...(current.value.assumed ?? []), 'endMs'];
  }
  const { ends, graceMs } = endsOf(item, current.value, terms);
  // If there are transactions, null means that the current period is not refunded, and an absent field means unknown.
  const isPaid = item.refunded_at === null && (item.transactions ?? []).length > 0;
  const refunded = periods.filter(({ refundedAtMs }) => refundedAtMs !== null);
  if (isPaid && current.refundedAtMs === null) refunded.push(current);
  const imported: ImportedFacts = {
    periods: Object.fromEntries(periods.map(({ key, value }) => [key, register(value)])),
    refunds: Object.fromEntries(
      refunded.map(({ key, refundedAtMs }) => [
        key,
        register({ revokedAtMs: refundedAtMs, kind: 'full' as const, amountMicros: null }),
      ]),
    ),
    renewal: register(renewalOf(item, current.key, graceMs)),
    hints: item.presented_offering_id ? register({ presentedOfferingId: item.presented_offering_id }) : null,
    ...(Object.keys(ends).length > 0 && { ends: { [current.key]: ends } }),
    held: register(heldUntil(item, storeKey, current.value, terms)),
    guessed: register(isGuessed),
    ...(item.starts_at !== undefined && { startedAtMs: item.starts_at }),
  };
  return {
    store: item.store,
    environment: item.environment ?? 'production',
    storeKey,
    facts: { ...noSubscriptionFacts, imported },
    names: namesOf(item),
  };
}

/** All ids under which the store may know an item. */
export function namesOf(item: ImportedSubscriptionDto): string[] {
  const { store_subscription_identifier: name, original_transaction_id: original, transactions = [] } = item;
  return [...new Set([name, original, ...transactions.map(({ id }) => id)].filter((id) => id !== undefined))];
}
