import type { DatasetColumn } from '../dataset.model.js';
import { column, nullable } from './column.js';

export const eventColumns: readonly DatasetColumn[] = [
  column('id', 'text', 'The id of the event.'),
  column('type', 'text', 'The type of the event, such as RENEWAL.'),
  column('created_at', 'time', 'When the event was recorded.'),
  column('occurred_at', 'time', 'When the event happened.'),
  nullable('customer_id', 'text', 'The internal id of the customer.'),
  nullable('app_id', 'text', 'The app of the purchase.'),
  nullable('environment', 'text', 'production or sandbox; null if it has none.'),
  nullable('subscription_id', 'text', 'The subscription that the event is about.'),
  nullable('sequence', 'integer', 'The number of the event among the events of its customer.'),
  column('sent', 'boolean', 'False for an event that is recorded but never sent to webhooks.'),
  column('body', 'json', 'The body of its webhooks, without customer information.'),
];
