/** A store reports what became of a refund. */
export interface RefundOutcomeReport {
  /** The App Store's transaction id, or Google's order id. */
  transactionId: string;
  outcome: 'refunded' | 'partially_refunded' | 'declined' | 'reversed';
  /** Epoch ms. */
  atMs: number;
  /** The refunded amount in the currency of the purchase; null if the store reports none. */
  amountMicros: number | null;
  /** The refunded share of the price, in thousandths of a percent; null if the store reports none. */
  milliPercent: number | null;
}
