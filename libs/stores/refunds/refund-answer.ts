/** How a developer wants the store to decide about a refund. */
export const answerPreferences = ['grant_full', 'grant_prorated', 'decline', 'neutral'] as const;
export type AnswerPreference = (typeof answerPreferences)[number];

export const purchaseKinds = ['auto_renewable', 'consumable', 'non_consumable', 'non_renewing'] as const;
export type PurchaseKind = (typeof purchaseKinds)[number];

export const deliveryStatuses = [
  'delivered',
  'undelivered_quality_issue',
  'undelivered_wrong_item',
  'undelivered_server_outage',
  'undelivered_other',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A customer's total spending and refunds, in USD micros. */
export interface LifetimeSpending {
  purchasedMicros: number;
  refundedMicros: number;
}
