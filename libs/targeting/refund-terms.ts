/** Settings of an app: one preference for every request, or the project's policies. */
export const refundHandlings = [
  'do_not_handle',
  'grant_full',
  'decline',
  'let_apple_decide',
  'policies',
] as const;
export type RefundHandling = (typeof refundHandlings)[number];

/**
 * `waiting` requests are answered as soon as possible, `held` ones wait for a person until they are due. All other
 * statuses are final.
 */
export const answerStatuses = ['waiting', 'held', 'sent', 'refused', 'expired', 'not_wanted'] as const;
export type AnswerStatus = (typeof answerStatuses)[number];

/** Why a request is not answered. */
export const answerReasons = [
  'off',
  'not_the_buyer',
  'unknown_purchase',
  'no_consent',
  'customer_attribute',
  'policy',
  'person',
] as const;
export type AnswerReason = (typeof answerReasons)[number];

export const refundDeciders = ['policy', 'setting', 'customer_attribute', 'person'] as const;
export type RefundDecider = (typeof refundDeciders)[number];

/** The store's decision. */
export const refundOutcomes = [
  'refunded',
  'partially_refunded',
  'declined',
  'reversed',
  'no_resolution',
] as const;
export type RefundOutcome = (typeof refundOutcomes)[number];
