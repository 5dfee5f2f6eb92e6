import { refundWishes } from '../../../libs/stores/index.js';

/** What to send Apple when a customer asks for a refund. */
export const refundRequestHandlings = ['do_not_handle', ...refundWishes] as const;

export type RefundRequestHandling = (typeof refundRequestHandlings)[number];
