import { refundWishes } from '../../../libs/stores/index.js';

export const refundRequestHandlings = ['do_not_handle', ...refundWishes] as const;

export type RefundRequestHandling = (typeof refundRequestHandlings)[number];
