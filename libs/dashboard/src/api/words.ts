import type { Tone } from '../ui/tone.js';
import type { Schema } from './types.js';

const stores: Record<string, string> = {
  app_store: 'App Store',
  mac_app_store: 'Mac App Store',
  play_store: 'Google Play',
  amazon: 'Amazon Appstore',
  stripe: 'Stripe',
  rc_billing: 'Web Billing',
  roku: 'Roku',
  paddle: 'Paddle',
  test_store: 'Test Store',
  promotional: 'Granted',
};

/** Returns the name of a store, ignoring the code's case; the code if it has no name. */
export const storeName = (store: string): string => stores[store.toLowerCase()] ?? store;

/** Names of the kinds of transactions. */
export const transactionKinds: Record<Schema<'TransactionDto'>['kind'], string> = {
  purchase: 'Purchase',
  renewal: 'Renewal',
  trial: 'Trial',
  one_time: 'One-time purchase',
  refund: 'Refund',
  refund_reversal: 'Refund reversed',
  proration: 'Proration',
  correction: 'Correction',
};

type SubscriptionStatus = Schema<'SubscriptionDto'>['status'];

/** Shared labels for states of subscriptions and purchases. */
export const statusWords: Record<SubscriptionStatus | 'owned' | 'refunded', { label: string; tone: Tone }> = {
  trialing: { label: 'Trial', tone: 'good' },
  active: { label: 'Active', tone: 'good' },
  in_grace_period: { label: 'Grace period', tone: 'warn' },
  in_billing_retry: { label: 'Billing retry', tone: 'bad' },
  paused: { label: 'Paused', tone: 'warn' },
  expired: { label: 'Expired', tone: 'neutral' },
  owned: { label: 'Owned', tone: 'good' },
  refunded: { label: 'Refunded', tone: 'bad' },
};

export const renewalWords: Record<Schema<'SubscriptionDto'>['auto_renewal_status'], string> = {
  will_renew: 'Renews',
  will_not_renew: 'Does not renew',
  will_change_product: 'Changes product at renewal',
  will_pause: 'Pauses at renewal',
};
