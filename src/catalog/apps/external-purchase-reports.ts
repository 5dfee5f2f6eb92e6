/** How purchases without an id of a token find one: `newest` takes the only open token of the customer. */
export const externalPurchaseBindings = ['id', 'newest'] as const;

export const fallbackCurrencies = ['EUR', 'USD'] as const;

/** Settings of an app of the App Store. */
export interface ExternalPurchaseReports {
  /** Default: false. */
  enabled?: boolean;
  bind?: (typeof externalPurchaseBindings)[number];
  /** For currencies in which Apple accepts no reports. Default: EUR. */
  fallback_currency?: (typeof fallbackCurrencies)[number];
}

/** Settings of an app of Google Play. */
export interface ExternalTransactionReports {
  /** Default: false. */
  enabled?: boolean;
  bind?: (typeof externalPurchaseBindings)[number];
  /** Google's type of the link to the offer; absent for programs without links. */
  link_type?: string | null;
}

interface ReportSettings {
  external_purchase_reports?: ExternalPurchaseReports;
  external_transaction_reports?: ExternalTransactionReports;
}

/** The settings that both stores share; an app has those of its own store. */
export function outsideReportsOf(
  settings: ReportSettings,
): Pick<ExternalPurchaseReports, 'enabled' | 'bind'> {
  return settings.external_purchase_reports ?? settings.external_transaction_reports ?? {};
}
