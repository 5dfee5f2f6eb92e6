import type { Schema } from '../../api/types.js';

type DestinationDelivery = Schema<'DestinationDeliveryDto'>;

export type DeliveryStatus = DestinationDelivery['status'];

/** The fields that deliveries to webhooks and to destinations have in common. */
export type LoggedDelivery = Pick<
  DestinationDelivery,
  | 'id'
  | 'event_id'
  | 'event_type'
  | 'app_user_id'
  | 'product_id'
  | 'price_in_purchased_currency'
  | 'currency'
  | 'status'
  | 'attempts'
  | 'next_attempt_at'
  | 'last_error'
  | 'created_at'
>;

export const statusLabels: Record<DeliveryStatus, string> = {
  pending: 'Pending',
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  skipped: 'Skipped',
};
