/** Test Store subscriptions renew at the end of each period, with periods of minutes, or not at all. */
export const renewalModes = ['real', 'accelerated', 'none'] as const;

export interface RenewalSettings {
  renewalMode: (typeof renewalModes)[number];
  /** Renewals per subscription. The last one turns auto-renew off. */
  maxRenewals: number;
}

export const defaultRenewals: RenewalSettings = { renewalMode: 'real', maxRenewals: 5 };
