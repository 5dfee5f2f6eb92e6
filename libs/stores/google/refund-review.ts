import { isStoreTime } from '../../kernel/index.js';
import { WHOLE_SHARE } from '../refunds/consumed-share.js';
import type { AnswerPreference } from '../refunds/refund-answer.js';
import type { RefundOutcomeReport } from '../refunds/refund-report.js';
import type { VoidedPurchase } from './play-resources.js';

/** One use of the purchase, as evidence in a chargeback. */
export interface UsageEvent {
  obfuscatedAccountId?: string;
  obfuscatedProfileId?: string;
  /** RFC 3339. */
  consumptionTime?: string;
  consumptionItemDescription?: string;
  ipAddress?: string;
  location?: { regionCode: string; administrativeArea?: string; locality?: string; sublocality?: string };
}

/** The body of orders.reviewrefund without its token, which is secret. */
export interface RefundReview {
  sampleContentProvided: boolean;
  refundPreference: 'APPROVE' | 'DECLINE' | 'NEUTRAL';
  consumptionPercentageMilliunits?: number;
  consumptionUsageEvents?: UsageEvent[];
}

export interface GoogleRefund {
  preference: AnswerPreference;
  sampleContentProvided: boolean;
  /** In thousandths of a percent; undefined if unknown. */
  consumedShare: number | undefined;
  /** Google's answer states no consent, but usage is sent only with it. */
  hasConsent: boolean;
  /** Days in UTC (`2026-11-03`) on which the customer was seen; null if the app sends none as evidence. */
  daysSeen: readonly string[] | null;
  /** As Google reported it with the purchase; null if it did not. */
  obfuscatedAccountId: string | null;
  /** Supplied by the developer for this request. */
  evidence: readonly UsageEvent[];
}

/** Google rejects answers with more. */
export const MAX_USAGE_EVENTS = 1_000;
const MAX_DAYS = 100;

const preferences: Record<AnswerPreference, RefundReview['refundPreference']> = {
  grant_full: 'APPROVE',
  // Google prorates nothing.
  grant_prorated: 'NEUTRAL',
  decline: 'DECLINE',
  neutral: 'NEUTRAL',
};

/** Days have no time of use, because none is recorded. */
function eventsOfDays({ daysSeen, obfuscatedAccountId }: GoogleRefund): UsageEvent[] {
  const newestFirst = [...new Set(daysSeen)].sort().reverse();
  return newestFirst.slice(0, MAX_DAYS).map((day) => ({
    ...(obfuscatedAccountId !== null && { obfuscatedAccountId }),
    consumptionItemDescription: `App opened on ${day} (UTC)`,
  }));
}

function eventsOf(refund: GoogleRefund): UsageEvent[] {
  if (!refund.hasConsent) return [];
  return [...refund.evidence, ...eventsOfDays(refund)].slice(0, MAX_USAGE_EVENTS);
}

/** Builds the answer to Google's review of a chargeback. */
export function googleRefundAnswer(refund: GoogleRefund): RefundReview {
  const { sampleContentProvided, consumedShare: share } = refund;
  const events = eventsOf(refund);
  return {
    sampleContentProvided,
    refundPreference: preferences[refund.preference],
    ...(share !== undefined && { consumptionPercentageMilliunits: share }),
    ...(events.length > 0 && { consumptionUsageEvents: events }),
  };
}

/** Google accepts answers for this long. */
const DEADLINE_MS = 24 * 3_600_000;

/** Google may count from its event or from the delivery, so the earlier one decides. Epoch ms. */
export function reviewDeadline(eventAtMs: number | null, receivedAtMs: number): number {
  return Math.min(eventAtMs ?? receivedAtMs, receivedAtMs) + DEADLINE_MS;
}

const CHARGEBACK = 7;

/** What Google's list of voided purchases reports about an order; null for an entry without an order or a time. */
export function voidedOutcome({
  orderId,
  voidedTimeMillis,
  voidedQuantity,
  voidedReason,
}: VoidedPurchase): (RefundOutcomeReport & { isChargeback: boolean }) | null {
  const atMs = Number(voidedTimeMillis);
  if (orderId === undefined || !isStoreTime(atMs)) return null;
  return {
    transactionId: orderId,
    outcome: voidedQuantity === undefined ? 'refunded' : 'partially_refunded',
    atMs,
    amountMicros: null,
    milliPercent: voidedQuantity === undefined ? WHOLE_SHARE : null,
    isChargeback: voidedReason === CHARGEBACK,
  };
}
