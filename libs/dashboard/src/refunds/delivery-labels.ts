import type { Schema } from '../api/types.js';

export const deliveryLabels = {
  delivered: 'Delivered',
  undelivered_quality_issue: 'Not delivered: quality issue',
  undelivered_wrong_item: 'Not delivered: wrong item',
  undelivered_server_outage: 'Not delivered: server outage',
  undelivered_other: 'Not delivered: other reason',
} satisfies Record<NonNullable<Schema<'AnswerRefundRequestDto'>['delivery_status']>, string>;
