import { refundWishes } from '../../../libs/stores/index.js';

/** What Apple is told when a customer asks for their money back. */
export const refundRequestHandlings = ['do_not_handle', ...refundWishes] as const;

export type RefundRequestHandling = (typeof refundRequestHandlings)[number];
