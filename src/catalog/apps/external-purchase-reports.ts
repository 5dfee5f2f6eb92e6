/** How purchases without an id of a token find one: `newest` takes the only open token of the customer. */
export const externalPurchaseBindings = ['id', 'newest'] as const;

export interface ExternalPurchaseReports {
  bind?: (typeof externalPurchaseBindings)[number];
}
