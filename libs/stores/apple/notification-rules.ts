import type { CancelReason, RenewalFact } from '../../engine/index.js';
import { lacksRefund } from './refund-facts.js';
import { priceIncreaseOf, reasonOf } from './renewal-facts.js';
import type { SignedNotification, SignedRenewal, SignedTransaction } from './signed-data.js';

/** The meaning of a notification where its signed data is incomplete. */
export interface NotificationRule {
  /** The transaction is that of the latest period; other types may carry an older one with the current renewal. */
  ofLatest: boolean;
  /** Renewal facts that the renewal information lacks. */
  renewal?: (notification: SignedNotification, renewal: SignedRenewal) => Partial<RenewalFact>;
  /**
   * `money`: if the transaction is revoked, this is a refund. `sharing`: sharing ended, even if the transaction has no
   * revocation date. `reversed`: the refund was reversed.
   */
  refund?: 'money' | 'sharing' | 'reversed';
  /** Apple knows more about the subscription than the notification contains. */
  refresh?: (subtype: string | undefined, transaction: SignedTransaction | null) => boolean;
  /** The notification is not about a purchase. */
  ignored?: boolean;
}

/** Reasons by the subtype of EXPIRED. */
const endings: ReadonlyMap<string | undefined, CancelReason> = new Map([
  ['VOLUNTARY', 'UNSUBSCRIBE'],
  ['BILLING_RETRY', 'BILLING_ERROR'],
  ['PRICE_INCREASE', 'PRICE_INCREASE'],
]);

/** By the subtype of PRICE_INCREASE. */
const priceIncreases: ReadonlyMap<string | undefined, RenewalFact['priceIncrease']> = new Map([
  ['PENDING', 'pending'],
  ['ACCEPTED', 'accepted'],
]);

const latest: NotificationRule = { ofLatest: true };
const any: NotificationRule = { ofLatest: false };
const ignored: NotificationRule = { ofLatest: false, ignored: true };

/** Every type of App Store Server Notifications 2. Their signed data is applied in any case. */
const rules: Record<string, NotificationRule> = {
  SUBSCRIBED: { ...latest, refresh: () => true },
  DID_RENEW: latest,
  OFFER_REDEEMED: { ...latest, refresh: (subtype) => subtype === 'UPGRADE' },
  DID_CHANGE_RENEWAL_PREF: { ...latest, refresh: (subtype) => subtype === 'UPGRADE' },
  DID_CHANGE_RENEWAL_STATUS: {
    ...latest,
    renewal: ({ subtype, signedDate }) =>
      subtype === 'AUTO_RENEW_DISABLED' ? { cancelledAtMs: signedDate } : {},
  },
  DID_FAIL_TO_RENEW: { ...latest, renewal: () => ({ inRetry: true, ended: false }) },
  GRACE_PERIOD_EXPIRED: { ...latest, renewal: () => ({ inRetry: true, ended: false, graceUntilMs: null }) },
  EXPIRED: {
    ...latest,
    renewal: ({ subtype }, renewal) => ({
      inRetry: false,
      graceUntilMs: null,
      ended: true,
      cancelReason: reasonOf(renewal) ?? endings.get(subtype) ?? 'UNKNOWN',
    }),
  },
  PRICE_INCREASE: {
    ...latest,
    renewal: ({ subtype }, renewal) => ({
      priceIncrease: priceIncreaseOf(renewal) ?? priceIncreases.get(subtype) ?? null,
    }),
  },
  RENEWAL_EXTENDED: latest,
  REFUND: {
    ...any,
    refund: 'money',
    refresh: (_, transaction) => transaction !== null && lacksRefund(transaction),
  },
  REFUND_REVERSED: { ...any, refund: 'reversed', refresh: () => true },
  REFUND_DECLINED: any,
  REVOKE: { ...any, refund: 'sharing' },
  CONSUMPTION_REQUEST: any,
  ONE_TIME_CHARGE: any,
  // Seats have no members here, and quantities are in the signed data.
  UNCLAIM_SEATS: any,
  INCREASE_QUANTITY: any,
  DECREASE_QUANTITY: any,
  RENEWAL_EXTENSION: ignored,
  TEST: ignored,
  EXTERNAL_PURCHASE_TOKEN: ignored,
  RESCIND_CONSENT: ignored,
  METADATA_UPDATE: ignored,
  MIGRATION: ignored,
  PRICE_CHANGE: ignored,
};

/** Notifications of unknown types are stored, and their signed data is applied. */
export function notificationRule(type: string): NotificationRule {
  return Object.hasOwn(rules, type) ? (rules[type] as NotificationRule) : ignored;
}

export const notificationTypes = Object.keys(rules);
