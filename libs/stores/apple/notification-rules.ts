import type { CancelReason, RenewalFact } from '../../engine/index.js';
import type { SignedNotification, SignedRenewal } from './signed-data.js';

/** What a notification is about, when the signed data in it does not say it all. */
export interface NotificationRule {
  /**
   * The transaction in it is that of the latest period. The others may carry an older one, beside the renewal
   * information of the running period.
   */
  ofLatest: boolean;
  /** What it says about the renewal on top of the renewal information. */
  renewal?: (notification: SignedNotification, renewal: SignedRenewal) => Partial<RenewalFact>;
  /** The period in it is refunded, even if its transaction does not say since when. */
  refund?: 'full' | 'family' | 'reversed';
  /** Apple knows more about the subscription than the notification tells. */
  refresh?: (subtype: string | undefined) => boolean;
  /** Nothing happened to a purchase. */
  ignored?: boolean;
}

const endings: Record<string, CancelReason> = {
  VOLUNTARY: 'UNSUBSCRIBE',
  BILLING_RETRY: 'BILLING_ERROR',
  PRICE_INCREASE: 'PRICE_INCREASE',
  PRODUCT_NOT_FOR_SALE: 'UNKNOWN',
};

const latest: NotificationRule = { ofLatest: true };
const any: NotificationRule = { ofLatest: false };
const ignored: NotificationRule = { ofLatest: false, ignored: true };

/** Every type of App Store Server Notifications 2. What is signed in them is applied in any case. */
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
    renewal: ({ subtype }, { expirationIntent }) => ({
      inRetry: false,
      graceUntilMs: null,
      ended: true,
      ...(expirationIntent === undefined && { cancelReason: endings[subtype ?? ''] ?? 'UNKNOWN' }),
    }),
  },
  PRICE_INCREASE: {
    ...latest,
    renewal: ({ subtype }, { priceIncreaseStatus }) =>
      priceIncreaseStatus === undefined
        ? { priceIncrease: subtype === 'ACCEPTED' ? 'accepted' : 'pending' }
        : {},
  },
  RENEWAL_EXTENDED: latest,
  REFUND: { ...any, refund: 'full' },
  REFUND_REVERSED: { ...any, refund: 'reversed', refresh: () => true },
  REFUND_DECLINED: any,
  REVOKE: { ...any, refund: 'family' },
  CONSUMPTION_REQUEST: any,
  ONE_TIME_CHARGE: any,
  RENEWAL_EXTENSION: ignored,
  TEST: ignored,
  EXTERNAL_PURCHASE_TOKEN: ignored,
  RESCIND_CONSENT: ignored,
  METADATA_UPDATE: ignored,
  MIGRATION: ignored,
  PRICE_CHANGE: ignored,
};

/** Types that this server does not know are kept, and what is signed in them is believed. */
export function notificationRule(type: string): NotificationRule {
  return Object.hasOwn(rules, type) ? (rules[type] as NotificationRule) : ignored;
}

export const notificationTypes = Object.keys(rules);
