import { type RefundHandling, refundHandlings } from '../../../libs/targeting/index.js';

export const refundRequestHandlings = refundHandlings;
export type RefundRequestHandling = RefundHandling;

/** Which customers agreed that their use of a purchase is reported to the store. */
export const refundDataConsents = ['none', 'all_customers', 'attribute'] as const;
export type RefundDataConsent = (typeof refundDataConsents)[number];

/** `days`: the days on which the customer opened the app. */
export const refundUsageEvidences = ['none', 'days'] as const;
export type RefundUsageEvidence = (typeof refundUsageEvidences)[number];
