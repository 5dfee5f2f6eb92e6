import { addPeriods, parsePeriod } from '../kernel/index.js';
import { noSubscriptionFacts } from './facts.js';
import type { SubscriptionFacts, Observation, RenewalFact } from './facts.model.js';

const SAME_GRANT_WITHIN_MS = 2 * 3_600_000;

/** In calendar units (UTC). `lifetime` is a date far in the future, not a special case. */
const durations = {
  daily: 'P1D',
  three_day: 'P3D',
  weekly: 'P7D',
  two_week: 'P14D',
  monthly: 'P1M',
  two_month: 'P2M',
  three_month: 'P3M',
  six_month: 'P6M',
  yearly: 'P1Y',
  lifetime: 'P200Y',
} as const;

export type GrantDuration = keyof typeof durations;
export const grantDurations = Object.keys(durations) as GrantDuration[];

/** In a shorter month, the end is the month's last day. */
export function grantEnd(duration: GrantDuration, startMs: number): number {
  const period = parsePeriod(durations[duration]);
  if (!period) throw new RangeError(`${duration} has no length`);
  return addPeriods(startMs, period);
}

/** The product id under which a grant is listed; `custom` if its end was specified as a date. */
export function grantProductId(entitlementLookupKey: string, duration: GrantDuration | 'custom'): string {
  return `rc_promo_${entitlementLookupKey}_${duration}`;
}

/** A grant is a duplicate if a running grant of the same entitlement ends at about the same time. */
export function isDuplicateGrant(
  running: readonly { endMs: number | null }[],
  endMs: number | null,
): boolean {
  return running.some((grant) =>
    grant.endMs === null || endMs === null
      ? grant.endMs === endMs
      : Math.abs(grant.endMs - endMs) <= SAME_GRANT_WITHIN_MS,
  );
}

export interface Grant {
  /** Subscription key and period key. */
  key: string;
  storeProductId: string;
  /** Replaces the store's transaction id: 32 hexadecimal digits. */
  transactionId: string;
  grantedAtMs: number;
  /** Null: no end. */
  endMs: number | null;
}

function neverRenews(key: string, grantedAtMs: number): RenewalFact {
  return {
    periodKey: key,
    autoRenew: false,
    cancelledAtMs: grantedAtMs,
    nextProductId: null,
    inRetry: false,
    billingIssueAtMs: null,
    graceUntilMs: null,
    pauseScheduled: false,
    paused: false,
    autoResumeAtMs: null,
  };
}

/** A new grant: a subscription with one free period in the store `promotional`, which never renews. */
export function grantObservation(grant: Grant): Observation<SubscriptionFacts> {
  const { key, storeProductId, transactionId, grantedAtMs, endMs } = grant;
  const said = { at: grantedAtMs, src: 'api' as const };
  return {
    atMs: grantedAtMs,
    facts: {
      ...noSubscriptionFacts,
      periods: {
        [key]: {
          ...said,
          value: {
            storeProductId,
            planId: null,
            offerCode: null,
            kind: 'normal',
            isRenewal: false,
            startMs: grantedAtMs,
            endMs,
            price: { amountMicros: 0, currency: 'USD', source: 'store' },
            quantity: 1,
            ownership: 'purchased',
            storeTransactionId: transactionId,
            country: null,
          },
        },
      },
      renewal: { ...said, value: neverRenews(key, grantedAtMs) },
    },
  };
}

export function grantRevocation(
  grant: Pick<Grant, 'key' | 'grantedAtMs'>,
  atMs: number,
): Observation<SubscriptionFacts> {
  const said = { at: atMs, src: 'api' as const };
  const renewal = { ...neverRenews(grant.key, grant.grantedAtMs), ended: true };
  return {
    atMs,
    facts: {
      ...noSubscriptionFacts,
      renewal: { ...said, value: renewal },
      ends: { [grant.key]: { expired: { ...said, value: atMs } } },
    },
  };
}
