const orderIds = [
  // Google Play; renewals have a counter.
  /^GPA\.\d{4}-\d{4}-\d{4}-\d{5}(\.\.\d+)?$/,
  // Order id in an App Store receipt.
  /^M[A-Z0-9]{9,11}$/,
  // App Store transaction ids.
  /^\d{12,20}$/,
  // Stripe and Paddle.
  /^(in|cs|sub|pi|ch|txn)_[A-Za-z0-9_]{8,}$/,
];

/** Whether the text may be an order id from a store's receipt. */
export function looksLikeOrderId(text: string): boolean {
  return orderIds.some((pattern) => pattern.test(text.trim()));
}
