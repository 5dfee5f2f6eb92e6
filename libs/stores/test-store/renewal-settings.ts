/**
 * Whether subscriptions of a Test Store app renew by themselves: at the end of each period, at the end of periods of
 * minutes, or not at all.
 */
export const renewalModes = ['real', 'accelerated', 'none'] as const;

export interface RenewalSettings {
  renewalMode: (typeof renewalModes)[number];
  /** Renewals of one subscription; the last one comes with renewal turned off. */
  maxRenewals: number;
}

export const defaultRenewals: RenewalSettings = { renewalMode: 'real', maxRenewals: 5 };
