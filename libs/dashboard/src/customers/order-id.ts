const orderIds = [
  // Google Play, renewals with a counter.
  /^GPA\.\d{4}-\d{4}-\d{4}-\d{5}(\.\.\d+)?$/,
  // The order id in a receipt of the App Store.
  /^M[A-Z0-9]{9,11}$/,
  // Transaction ids of the App Store.
  /^\d{12,20}$/,
  // Stripe and Paddle.
  /^(in|cs|sub|pi|ch|txn)_[A-Za-z0-9_]{8,}$/,
];

/** Whether it may have been copied from a store's receipt. */
export function looksLikeOrderId(text: string): boolean {
  return orderIds.some((pattern) => pattern.test(text.trim()));
}
