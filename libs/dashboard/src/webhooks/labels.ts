import type { Delivery } from './webhooks.queries.js';

export const statusLabels: Record<Delivery['status'], string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};
