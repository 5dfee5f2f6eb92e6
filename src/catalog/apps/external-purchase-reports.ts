/** How purchases without an id of a token find one: `newest` takes the only open token of the customer. */
export const externalPurchaseBindings = ['id', 'newest'] as const;

export const fallbackCurrencies = ['EUR', 'USD'] as const;

export interface ExternalPurchaseReports {
  /** Default: false. */
  enabled?: boolean;
  bind?: (typeof externalPurchaseBindings)[number];
  /** For currencies in which Apple accepts no reports. Default: EUR. */
  fallback_currency?: (typeof fallbackCurrencies)[number];
}
